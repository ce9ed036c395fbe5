"""Units of measure, counted things and the words that stand beside values in answers."""

from __future__ import annotations

_UNITS = """
unit units degree degrees radian radians percent percentage point points cent cents dollar dollars usd euro euros pound
pounds yen yuan rupee rupees rubles ruble kopecks peso pesos shilling shillings second seconds sec secs minute minutes
min mins hour hours hr hrs day days week weeks month months year years decade decades century centuries am pm
meter meters metre metres centimeter centimeters centimetre centimetres millimeter millimeters millimetre millimetres
kilometer kilometers kilometre kilometres cm mm km dm nm um mi inch inches in foot feet ft yard yards yd mile miles acre
acres hectare hectares ha light square sq cubic cu gram grams kg kilogram kilograms mg milligram milligrams ton tons
tonne tonnes ounce ounces oz lb lbs liter liters litre litres ml milliliter milliliters millilitres gallon gallons pint
pints quart quarts cup cups mph kph kmh fps hz khz mhz newton newtons joule joules watt watts kw kwh volt volts amp amps
ohm ohms mol mole moles pa kpa atm bar bars kelvin celsius fahrenheit calorie calories kcal ev mev gev erg ergs dyne
dynes tesla gauss time times way ways people person persons student students child children boys girls men women coin
coins apple apples book books ball balls piece pieces item items tile tiles stick sticks marbles marble game games step
steps move moves ticket tickets page pages word words letter letters digit digits side sides edge edges face faces
vertex vertices term terms row rows column columns card cards box boxes bag bags car cars dozen dozens pair pairs triple
triples set sets team teams per each arcsec arcmin arcseconds arcminutes parsec parsecs au ly solar mass masses bit bits
byte bytes rad deg rev rpm yr yrs
"""
_FUNCTIONS = """
sin cos tan cot sec csc arcsin arccos arctan sinh cosh tanh ln log lg exp max min sup inf gcd lcm mod det lim deg dim
ker arg re im pi sqrt frac cdot times infty alpha beta gamma theta phi omega delta lambda mu sigma tau rho epsilon
"""
_CONNECTORS = """
and or if for where when with in is are be the of to a an all any real integer integers number numbers not such that
than positive negative nonnegative natural from at each per odd even some every only base
"""
_NUMBER_WORDS = """
zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen
nineteen twenty thirty forty fifty sixty seventy eighty ninety hundred thousand million billion half third thirds
quarter quarters dozen
"""
_CHINESE_UNITS = (
    "元角分万亿个只条头名人位张本页种次天日月年小时钟秒米厘毫千公里平方立克斤吨升度倍岁"
    "块支枝棵件袋箱盒组对双步层圈台辆或和且点"
)

UNITS = frozenset(_UNITS.split())
"""English units and counted things."""

FUNCTIONS = frozenset(_FUNCTIONS.split())
"""Names of functions and symbols, as they read without their backslash."""

CONNECTORS = frozenset(_CONNECTORS.split())
"""Words that join values and conditions."""

NUMBER_WORDS = frozenset(_NUMBER_WORDS.split())
"""Numbers in words."""

CHINESE_UNITS = frozenset(_CHINESE_UNITS)
"""Characters of Chinese units, counting words and connectors."""
