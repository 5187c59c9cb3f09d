// English texts of the figures of the rules: worked examples and set pieces that can be played. Loaded with the rules.

export const en = {
  "title": "Figures you can play",
  "intro": "Each figure is a position on a table. Do what it is about, and see what follows by the rules.",
  "numbered": "Worked examples",
  "pieces": "Set pieces",
  "name.figure": "Figure {number}",
  "name.faq": "The scrum of the FAQ",
  "name.piece": "Set piece",
  "open": "Play it: {title}",
  "back": "All rules",
  "previous": "Previous figure",
  "next": "Next figure",
  "rules": "Rules shown here",
  "variant": "Variant",
  "variant.printed": "As printed",
  "variant.core": "Disks of the core set",
  "undo": "Take back",
  "restart": "Begin again",
  "happened": "What happened",
  "happened.none": "Nothing yet.",
  "begin": "Begin the melee",
  "begin.title": "Something is fought before you are asked",
  "begin.help": "There is one order only, so nobody chooses. Look at the stack, then watch.",
  "over": "The figure ends here",
  "over.help": "Take back, or begin again and try something else.",
  "answers": "What is shown here",
  "answers.help": "You are {name}. Answer on the table, or choose here.",
  "answer.move": "{name}: {count} {count|flip|flips}, {text}",
  "answer.move.free": "{name}: {count} {count|flip|flips}",
  "answer.move.keep": "{text}, then something else",
  "answer.reinforce": "{name}: out of the reserve",
  "dice": "Other dice",
  "dice.now": "The dice show: {faces}",
  "missed": "The figure has no answer to that. It shows one of these: {list}",
  "missing": "There is no figure of that name.",

  "F1.title": "Surplus damage is lost",
  "F1.text":
    "Karl Franz has 4 damage and toughness 5. Flip the Bloodcrushers onto him: their Impact rolls a die. Whatever it shows, he takes one wound, and the rest of the damage is lost.",
  "F1.no_stamina": "Without stamina",
  "F2.title": "Two instances of damage, and Mobile",
  "F2.text":
    "The Steam Tank may shoot and move, in either order, but not between two flips. Shoot the River Troll and then flip onto it: the shot is one instance, the Impact another, and each can wound once.",
  "F3.title": "Types of damage",
  "F3.text":
    "Luthor is resistant to physical damage, the Steam Tank is immune to it, Teclis is immune to arcane damage. Shoot at each of them and compare. The Sun Dragon is immune to ranged attacks and cannot be a target.",
  "F4.title": "Engage triggers",
  "F4.text":
    "Archaon harms every enemy near him once for each enemy that he engages. Flip him up, so that he lands on two; then flip the Sun Dragon twice to the left, onto him.",
  "F5.title": "One engagement",
  "F5.text":
    "All disks here hang together by pins, so they fight one engagement at once. Choose whom each disk strikes. With O1 and H1 further off there are two engagements.",
  "F5.parted": "Parted",
  "F6.title": "Parts and order of a scrum",
  "F6.text":
    "Eleven disks of three players make four engagements. Those from above come first; two of them wait for each other in a circle. Choose the next engagement each time.",
  "F7.title": "Frenzy",
  "F7.text":
    "Azhag strikes every enemy that he pins. Where he is pinned himself he has to choose one. First he defends himself, then he attacks.",
  "F8.title": "Wounds in two steps",
  "F8.text":
    "Grimgor strikes swiftly, the Black Orcs later: that makes two wounds, and the Bloodthirster is removed. Where both strike in one step it is one wound, and it lives.",
  "F8.not_swift": "Grimgor not swift",
  "F9.title": "A scrum from the top, with speeds",
  "F9.text":
    "There is one order only, from the top down. Watch how a slow attack is lost because its disk falls before, then choose whom Grimgor strikes.",
  "F10.title": "A new pin is not fought",
  "F10.text":
    "The Swordsmen cover all that Tyrion and the Steam Tank share. Let Tyrion fight first: the Swordsmen fall, he pins the tank and may wound it, but they do not fight in this phase. Or let the tank strike first.",
  "FAQ1.title": "Who strikes whom in a scrum",
  "FAQ1.text":
    "First the Spearmen strike the River Troll, then the troll and the Wolf Riders fight Teclis and the High Mage at once. Choose whom the riders and Teclis strike.",

  "terrain.title": "Terrain",
  "terrain.text":
    "The Runners cross a dangerous gully and stop in a rough mere. The Gunners see past a wood, at a target in cover. The windmill lets others in from the reserve.",
  "hellcannon.title": "The Hellcannon runs wild",
  "hellcannon.text":
    "Shoot with the Hellcannon. Where the dice show chaos, it has to flip toward the nearest disk that it does not pin.",
  "kairos.title": "Kairos brings somebody in",
  "kairos.text": "Use the ability of Kairos: a disk of the reserve comes in near him, with an activation token.",
  "plaguebearers.title": "Plaguebearers take the blessing",
  "plaguebearers.text":
    "The Bloodthirster is empowered and has 6 damage. It flies past the Plaguebearers, loses its empowerment, and its damage is then enough for a wound.",
  "steam-tank.title": "Three attacks of the Steam Tank",
  "steam-tank.text": "Choose an attack whose range is met, shoot the River Troll, then flip onto the Orc Boyz.",
  "blood-for-the-blood-god.title": "Blood for the Blood God",
  "blood-for-the-blood-god.text":
    "The card lets an embattled disk fight an engagement before the melee phase. Use its ability with the Marauders.",
  "valkia.title": "Valkia empowers",
  "valkia.text": "Flip Valkia onto Luthor Huss. Her ability then empowers somebody near her.",
  "grom.title": "Grom goes away",
  "grom.text":
    "Near Grom his own disks are tougher. Flip him away: the damage of the Night Goblins is then as much as their toughness.",
  "keywords.title": "Relentless, Guard, Poison, Stalwart",
  "keywords.text":
    "The Bull does not stop at the first pin, and Guard strikes it back. Then the Asps poison it, and the pinned Gunners stand and shoot.",
  "fists-of-mork.title": "Fists of Mork",
  "fists-of-mork.text":
    "The card strikes the Spearmen and every disk near them, own ones too, and may strike its user.",
  "nurgles-rot.title": "Nurgle's Rot",
  "nurgles-rot.text": "The card lowers the toughness of the Orc Boyz. Then the damage of the Flamers is enough.",
  "winds-of-morai-heg.title": "Winds of Morai-Heg",
  "winds-of-morai-heg.text":
    "With this card arrows reach one range further. Shoot with the Archers and with the Bolt Thrower.",
  "big-boss.title": "The Big Boss shouts",
  "big-boss.text": "The Big Boss takes the activation token off the Orc Boyz. Then they charge.",
} as const;
