"""How fast is it, beside what? Programs that each measure one thing and give tables; `./dev bench NAME`.

Not part of the distribution: what is measured must not know that it is.
"""
