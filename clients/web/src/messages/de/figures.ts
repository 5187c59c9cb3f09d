// Deutsche Texte der Bilder zu den Regeln: Beispiele und Spielszenen, die man spielen kann. Sie werden mit den Regeln geladen.

import type { en } from "../en/figures";

export const de: Readonly<Record<keyof typeof en, string>> = {
  "title": "Bilder zum Spielen",
  "intro":
    "Jedes Bild ist eine Stellung auf dem Tisch. Mach, wovon es handelt, und sieh, was nach den Regeln daraus folgt.",
  "numbered": "Beispiele",
  "pieces": "Spielszenen",
  "name.figure": "Bild {number}",
  "name.faq": "Das Getümmel der FAQ",
  "name.piece": "Spielszene",
  "open": "Spielen: {title}",
  "back": "Alle Regeln",
  "previous": "Voriges Bild",
  "next": "Nächstes Bild",
  "rules": "Regeln, die hier vorkommen",
  "variant": "Variante",
  "variant.printed": "Wie gedruckt",
  "variant.core": "Scheiben des Grundspiels",
  "undo": "Zurücknehmen",
  "restart": "Von vorn",
  "happened": "Was geschah",
  "happened.none": "Noch nichts.",
  "begin": "Das Getümmel beginnen",
  "begin.title": "Etwas wird gekämpft, bevor du gefragt wirst",
  "begin.help": "Es gibt nur eine Reihenfolge, also wählt niemand. Sieh dir den Stapel an, dann schau zu.",
  "over": "Hier endet das Bild",
  "over.help": "Nimm zurück, oder beginne von vorn und versuche etwas anderes.",
  "answers": "Was hier gezeigt wird",
  "answers.help": "Du bist {name}. Antworte auf dem Tisch, oder wähle hier.",
  "answer.move": "{name}: {count}-mal wenden, {text}",
  "answer.move.free": "{name}: {count}-mal wenden",
  "answer.move.keep": "{text}, dann noch etwas",
  "answer.reinforce": "{name}: aus der Reserve",
  "dice": "Andere Würfel",
  "dice.now": "Die Würfel zeigen: {faces}",
  "missed": "Darauf hat das Bild keine Antwort. Es zeigt eines davon: {list}",
  "missing": "Ein Bild mit diesem Namen gibt es nicht.",

  "F1.title": "Überzähliger Schaden verfällt",
  "F1.text":
    "Karl Franz hat 4 Schaden und Zähigkeit 5. Wende die Bloodcrushers auf ihn: Ihr Aufprall würfelt. Was auch fällt, er bekommt eine Wunde, und der restliche Schaden verfällt.",
  "F1.no_stamina": "Ohne Ausdauer",
  "F2.title": "Zwei Schäden nacheinander, und Beweglich",
  "F2.text":
    "Der Steam Tank darf schießen und ziehen, in beliebiger Reihenfolge, aber nicht schießen, nachdem er einmal gewendet hat, und dann weiterziehen. Schieß auf den River Troll und wende dann auf ihn: Schuss und Aufprall zählen für sich, und jeder kann einmal verwunden.",
  "F3.title": "Arten von Schaden",
  "F3.text":
    "Luthor ist resistent gegen physischen Schaden, der Steam Tank ist immun dagegen, Teclis ist immun gegen arkanen Schaden. Schieß auf jeden und vergleiche. Der Sun Dragon ist immun gegen Beschuss und kann kein Ziel sein.",
  "F4.title": "Wirkungen beim Binden",
  "F4.text":
    "Archaon schadet jedem Feind in seiner Nähe einmal für jeden Feind, den er bindet. Wende ihn nach oben auf zwei Feinde, dann den Sun Dragon zweimal nach links auf ihn.",
  "F5.title": "Ein einziges Gefecht",
  "F5.text":
    "Alle Scheiben hängen hier zusammen, also kämpfen sie ein einziges Gefecht. Wähle, wen jede Scheibe trifft. Liegen O1 und H1 weiter weg, sind es zwei Gefechte.",
  "F5.parted": "Getrennt",
  "F6.title": "Teile und Reihenfolge eines Getümmels",
  "F6.text":
    "Elf Scheiben von drei Spielern bilden vier Gefechte. Was oben liegt, kommt zuerst; zwei warten im Kreis aufeinander. Wähle jedes Mal das nächste Gefecht.",
  "F7.title": "Raserei",
  "F7.text":
    "Azhag trifft jeden Feind, den er bindet. Wo er selbst gebunden ist, muss er einen wählen. Zuerst wehrt er sich, dann greift er an.",
  "F8.title": "Wunden in zwei Schritten",
  "F8.text":
    "Grimgor schlägt schnell zu, die Black Orcs später: Das sind zwei Wunden, und der Bloodthirster wird entfernt. Schlagen beide im selben Schritt zu, ist es eine Wunde, und er lebt.",
  "F8.not_swift": "Grimgor nicht schnell",
  "F9.title": "Ein Getümmel von oben, mit Tempo",
  "F9.text":
    "Es gibt nur eine Reihenfolge, von oben nach unten. Sieh, wie ein langsamer Angriff verfällt, weil seine Scheibe vorher fällt; dann wähle, wen Grimgor trifft.",
  "F10.title": "Um neue Bindungen wird nicht gekämpft",
  "F10.text":
    "Die Swordsmen verdecken alles, was Tyrion und der Steam Tank gemeinsam haben. Lass zuerst Tyrion kämpfen: Die Swordsmen fallen, er bindet den Panzer und kann ihn verwunden, aber sie kämpfen in dieser Phase nicht. Oder lass den Panzer zuerst zuschlagen.",
  "FAQ1.title": "Wer im Getümmel wen trifft",
  "FAQ1.text":
    "Zuerst treffen die Spearmen den River Troll, dann kämpfen Troll und Wolf Riders zugleich mit Teclis und dem High Mage. Wähle, wen die Reiter und Teclis treffen.",

  "terrain.title": "Gelände",
  "terrain.text":
    "Die Runners queren eine gefährliche Schlucht und bleiben in einem unwegsamen Weiher stehen. Die Gunners sehen am Wald vorbei auf ein Ziel in Deckung. Die Windmühle lässt andere aus der Reserve herein.",
  "hellcannon.title": "Die Hellcannon geht durch",
  "hellcannon.text":
    "Schieß mit der Hellcannon. Zeigen die Würfel Chaos, muss sie auf die nächste Scheibe zu, die sie nicht bindet.",
  "kairos.title": "Kairos holt jemanden herein",
  "kairos.text":
    "Benutze die Fähigkeit von Kairos: Eine Scheibe der Reserve kommt in seiner Nähe ins Spiel, mit einem Aktivierungsmarker.",
  "plaguebearers.title": "Plaguebearers nehmen die Stärkung",
  "plaguebearers.text":
    "Der Bloodthirster ist gestärkt und hat 6 Schaden. Er fliegt an den Plaguebearers vorbei, verliert die Stärkung, und sein Schaden reicht dann für eine Wunde.",
  "steam-tank.title": "Drei Angriffe des Steam Tank",
  "steam-tank.text":
    "Wähle einen Angriff, dessen Reichweite passt, schieß auf den River Troll, und wende dann auf die Orc Boyz.",
  "blood-for-the-blood-god.title": "Blood for the Blood God",
  "blood-for-the-blood-god.text":
    "Mit der Karte kämpft eine umkämpfte Scheibe ein Gefecht vor der Nahkampfphase. Benutze sie mit den Marauders.",
  "valkia.title": "Valkia stärkt",
  "valkia.text": "Wende Valkia auf Luthor Huss. Ihre Fähigkeit stärkt dann jemanden in ihrer Nähe.",
  "grom.title": "Grom geht weg",
  "grom.text":
    "In Groms Nähe sind seine Scheiben zäher. Zieh ihn weg: Dann ist der Schaden der Night Goblins so hoch wie ihre Zähigkeit.",
  "keywords.title": "Unaufhaltsam, Wache, Gift, Unbeirrt",
  "keywords.text":
    "Den Bull hält die erste Bindung nicht auf, und die Wache schlägt zurück. Dann vergiften ihn die Asps, und die gebundenen Gunners bleiben stehen und schießen.",
  "fists-of-mork.title": "Fists of Mork",
  "fists-of-mork.text":
    "Die Karte trifft die Spearmen und jede Scheibe bei ihnen, auch eigene, und vielleicht ihren Benutzer.",
  "nurgles-rot.title": "Nurgle's Rot",
  "nurgles-rot.text": "Die Karte senkt die Zähigkeit der Orc Boyz. Dann reicht der Schaden der Flamers.",
  "winds-of-morai-heg.title": "Winds of Morai-Heg",
  "winds-of-morai-heg.text":
    "Mit dieser Karte reichen Pfeile eine Stufe weiter. Schieß mit den Archers und mit dem Bolt Thrower.",
  "big-boss.title": "Der Big Boss brüllt",
  "big-boss.text": "Der Big Boss nimmt den Orc Boyz den Aktivierungsmarker. Dann stürmen sie los.",
};
