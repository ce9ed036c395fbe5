"""Words that two statements of one problem may differ in, and words that they may not.

Both lists are in folded form (`curation.text.fold`). A word that stands in neither may differ only where the answers
agree, see `curation.dedup.verification`.
"""

from __future__ import annotations

from curation.text_symbols import GREEK

_HARMLESS = """
an the of in for is are be been being am it its this that these those which who whom there here then thus so also please
let lets us we you your our their they my and as while when where if have has having do does respectively suppose given
denote denoted denotes define defined consider assume following follows note find compute determine calculate evaluate
what value values possible such how much solve problem question dollar dollars
"""

HARMLESS = frozenset(_HARMLESS.split())
"""Words that carry no condition and name no quantity: a problem stays the same with and without them.

The article ``a`` is a variable as often, so `curation.dedup.wording` decides by its neighbours.
"""

SYNONYMS = {
    "largest": "maximum", "greatest": "maximum", "biggest": "maximum", "maximal": "maximum", "smallest": "minimum",
    "minimal": "minimum", "average": "mean", "colour": "color", "colours": "colors", "coloured": "colored",
    "centre": "center", "metre": "meter", "metres": "meters", "kilometre": "kilometer", "kilometres": "kilometers",
    "litre": "liter", "litres": "liters", "neighbour": "neighbor", "neighbours": "neighbors",
    "neighbouring": "neighboring", "labelled": "labeled", "travelled": "traveled", "travelling": "traveling",
    "percent": "%", "&": "", "on": "upon", "were": "was", "could": "can", "may": "can", "might": "can", "shall": "must",
    "should": "must", "would": "will", "he": "himself", "him": "himself", "his": "himself", "she": "herself",
    "her": "herself", "hers": "herself",
}  # fmt: skip
"""Words that mean the same in a problem, and the one that stands for them. ``%`` is a sign, no word.

Who, when, on or in, can or must: these tell two problems apart as often as two copies of one differ in them, so they
stay; their long forms may differ where the answers agree.
"""

_UNITS = "two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen"
_TENS = "twenty thirty forty fifty sixty seventy eighty ninety"
NUMBER_WORDS = {
    "zero": "0",
    **{word: str(value) for value, word in enumerate([*_UNITS.split(), "eighteen", "nineteen"], 2)},
    **{word: str(10 * value) for value, word in enumerate(_TENS.split(), 2)},
}
"""English number words and their digits. ``one`` is left out: it is a pronoun as often as a number."""

_ANSWER_FORM = """
answer answers result solution final as a an in the of to form simplest simplified simplify lowest reduced terms common
fraction fractions improper mixed number numbers decimal exact exactly integer integers whole radical radicals pi
interval notation using with your and or if necessary single ordered pair triple reduced expression set whole only
"""
ANSWER_FORM = frozenset(_ANSWER_FORM.split())
"""Words of a request for the form of the answer ("Express your answer as a common fraction in lowest terms")."""

_VERBS = "express give write enter put provide state leave report simplify"
REQUEST_VERBS = frozenset(_VERBS.split())
"""Verbs that such a request starts with."""

_LOGIC = """
not no non never neither nor without none except excluding unless only or either both each every any some all exactly
least most atleast atmost more less fewer than greater lesser over under above below before after first second third
fourth fifth last next previous from to into by off up down same different distinct unequal equal identical
consecutive inclusive exclusive replacement one once twice thrice half halves double triple quarter pair pairs single
unique minus plus times per between beyond ahead behind approximate approximately odd even positive negative
nonnegative nonpositive nonzero increasing decreasing ascending descending strictly
"""
_OPPOSITES = """
increase increases increased decrease decreases decreased gain gains gained lose loses lost buy buys bought sell sells
sold earn earns earned spend spends spent add adds added subtract subtracts subtracted multiply multiplies multiplied
divide divides divided rise rises fall falls win wins won arrive arrives depart departs leave leaves open closed start
starts end ends begin begins finish finishes true false same opposite early late earlier later earliest latest
taller tallest shorter longer older oldest younger youngest faster fastest slower slowest heavier heaviest lighter
lightest wider widest narrower narrowest higher highest lower lowest larger smaller bigger cheaper cheapest
"""
_QUANTITIES = """
sum product difference quotient ratio remainder average mean median mode range variance number count total square
squares squared cube cubes cubed root roots power factorial maximum minimum area perimeter volume surface length width
height depth distance speed rate radius diameter circumference angle probability expected percentage percent fraction
digit digits units tens hundreds thousands degree coefficient constant discriminant slope intercept determinant trace
rank norm modulus argument real imaginary absolute numerator denominator age time price cost profit loss interest
"""
_OBJECTS = """
integer integers natural whole rational irrational prime primes composite coprime divisor divisors factor factors
multiple multiples divisible perfect triangle quadrilateral rectangle rhombus parallelogram trapezoid kite pentagon
hexagon heptagon octagon polygon circle ellipse parabola hyperbola sphere cone cylinder prism pyramid tetrahedron
octahedron cuboid isosceles equilateral scalene right acute obtuse regular convex concave inscribed circumscribed
incircle circumcircle excircle incenter circumcenter orthocenter centroid excenter median altitude bisector midpoint
tangent secant chord arc sector segment diagonal vertex vertices edge edges side sides face faces parallel
perpendicular internal external interior exterior inner outer inside outside horizontal vertical sine cosine cotangent
sin cos tan cot sec csc arcsin arccos arctan log ln exp floor ceil sqrt gcd lcm mod max min lim sum prod int binom
domain range inverse derivative integral minimum maximum local global injective surjective bijective one onto even
arithmetic geometric harmonic sequence series term terms permutation permutations combination combinations subset
subsets set union intersection complement row column matrix vector edge path cycle tree directed undirected connected
left clockwise counterclockwise north south east west alphabetical lexicographically sorted minimize maximize longest
shortest substring subsequence subarray prefix suffix contiguous adjacent neighboring lowercase uppercase
"""
_SYMBOLS = """
heartsuit diamondsuit clubsuit spadesuit hearts diamonds clubs spades heart diamond club spade ace aces king kings queen
queens jack jacks circ cdot star ast oplus otimes square blacksquare triangle cap cup land lor neg subset supset
polynomial polynomials monomial binomial binomials trinomial linear quadratic cubic quartic quintic
"""
_MEASURES = """
cent cents penny pennies nickel nickels dime dimes euro euros pound pounds second seconds minute minutes hour hours day
days week weeks month months year years inch inches foot feet yard yards mile miles millimeter millimeters centimeter
centimeters meter meters kilometer kilometers gram grams kilogram kilograms ounce ounces ton tons liter liters
milliliter milliliters gallon gallons degrees radians dozen hundred thousand million billion mm cm m km mg g kg ml l
modulo nearest tenth hundredth thousandth rounded round
"""

GUARDED = frozenset((_LOGIC + _OPPOSITES + _QUANTITIES + _OBJECTS + _SYMBOLS + _MEASURES).split())
"""Words of logic, order, quantity, mathematical objects and units: another one makes another problem."""

_FUNCTIONS = """
sin cos tan cot sec csc arcsin arccos arctan sinh cosh tanh log exp floor ceil sqrt gcd lcm mod max min lim sum prod int
binom infinity angle triangle vec overline hat bar det deg dim ker arg
"""
NAMES_IN_FORMULAS = frozenset(_FUNCTIONS.split()) | frozenset(name.lower() for name in GREEK.values())
"""Words that stand in formulas, so that a dash beside them is a minus sign."""
