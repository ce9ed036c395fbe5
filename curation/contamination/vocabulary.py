"""Words that say little about which problem a text states, and numbers that are spelled out."""

from __future__ import annotations

_FUNCTION_WORDS = """
a an the of to in on at by for from with without into onto over under between among through per as than then that this
these those which who whom whose what when where why how is are was were be been being am do does did done has have had
having can could may might must shall should will would and or nor not no but if else so such it its they them their he
him his she her we us our you your i me my there here each every all any some both either neither one other another
same different also only just exactly least most more less up down out off again once about after before until while
many much want wants get gets given giving
"""
_CONTEST_WORDS = """
find determine compute evaluate calculate solve let suppose given denote define consider assume prove show express
expressed written write form value values number numbers integer integers positive negative nonnegative real natural
whole rational relatively prime primes coprime remainder divided divisible square sum product difference answer total
possible smallest largest greatest maximum minimum inclusive following satisfy satisfies satisfying simplest fraction
lowest terms respectively point points set line equation equal equals function probability ways distinct pair pairs
ordered true means mod
"""
_PROGRAMMING_WORDS = """
input inputs output outputs line lines contain contains containing single first second third test tests case cases
description descriptions follow follows print prints array arrays string strings length size characters lowercase
uppercase latin english guaranteed guarantee exceed sample samples example examples note notes explanation constraints
constraint separated query queries element elements index indexed return operation operations perform performed times
yes otherwise zero initially following denotes denoting consisting consists without its
"""

STOCK = frozenset((_FUNCTION_WORDS + _CONTEST_WORDS + _PROGRAMMING_WORDS).split()) | frozenset(
    "abcdefghijklmnopqrstuvwxyz"
)
"""Tokens that problems of all kinds share: words of the language, stock phrases of contests, single letters."""

_UNITS = "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen"
_TENS = "twenty thirty forty fifty sixty seventy eighty ninety"


def _words_of(table: str) -> dict[str, str]:
    """Return the words of lines that start with a value."""
    lines = (line.split() for line in table.strip().split("\n"))
    return {word: value for value, *words in lines for word in words}


NUMBER_WORDS = {
    **{word: str(value) for value, word in enumerate([*_UNITS.split(), "seventeen", "eighteen", "nineteen"])},
    **{word: str(10 * (place + 2)) for place, word in enumerate(_TENS.split())},
    "hundred": "100",
    "thousand": "1000",
    "million": "1000000",
    "dozen": "12",
    **_words_of("""
    2 zwei deux dos dois duas два две двух двумя
    3 drei trois tres três три трёх трех тремя
    4 vier quatre cuatro quatro quattro четыре четырёх четырех
    5 fünf cinq cinco cinque пять пяти
    6 sechs seis шесть шести
    7 sieben sept siete sete sette семь семи
    8 acht huit ocho oito otto восемь восьми
    9 neun neuf nueve nove девять девяти
    10 zehn dix diez dez dieci десять десяти
    11 onze одиннадцать
    12 zwölf douze doce двенадцать двенадцати
    15 fünfzehn quinze quince пятнадцать пятнадцати
    16 sechzehn seize dieciséis шестнадцать
    20 zwanzig vingt veinte vinte двадцать двадцати
    100 hundert cien сто
    1000 tausend mil тысяча тысячи
    """),
}
"""Number words of English and, where they are no words of another kind in English, of other languages; their values."""


_ROUND = frozenset(("20", "24", "30", "50", "60", "90", "100", "180", "360", "1000", "10000"))


def number_information(number: str) -> float:
    """Return how much a number tells by itself, in rough nats: small and round numbers stand in every problem."""
    if "." in number:
        return 2.0
    digits = len(number)
    if digits == 1:
        return 0.2 if number in "012" else 0.5
    if number in _ROUND:
        return 0.8
    return 1.5 if digits == 2 else 2.5


_EVERYDAY_WORDS = """
able account ago airport album allow amount animal apart apple arrive ask bag bake bank basket bedroom beginning begin
bicycle big bike bill bird birthday blue boat book bookstore borrow bottle bought bowl boy bread break bring brother
brown bucket bus buy cake calculator call candle candy car cat catch center centimeter central change charge check
chicken child children choose chosen chose circle city class classroom clock close closest club coach coffee collect
column combined come company complete completed computer consist consists constant contain contains container continue
cookie cook copy corner correct couple course create crew cup current cut dance daughter decide decimal decrease
decrease deep describe diagram direct direction discount dinner divide dog door double down dozen draw drawn draws
drink drive driver drop each earn east eat edge eight eighth empty end enter entire enough event eventually every
exam example except expand experience extra face faces fair fall family farm fast faster father feet fell field fifth
figure fill film final finger finish finished first fish five flip flips flour flower fly follow food foot form formula
formed friday friend front fruit full game garden gave give given gives gallon girl glass gold goal gone grade gram
grass green group grow half hand happen head heads heart heavy held help high hold holes home house hundred husband
inch increase initial initially inside item job join juice jump keep kind kilogram kilometer know label labeled lane
large larger last late later lay leave left lemon less light line list liter live located lose lost lot lunch machine
made make makes man many map marble mark marked market match material math mean measure meat meet men meter middle
mile milk mix model moment monday money month morning mother mountain mouse move moves movie name narrow near need new
night ninth note notebook nothing notice numbered object obtain obtained occur office old open opposite option orange
order original outcome outside owe own pack package page pages paid paint pair paper parent park part party pass pay
pen pencil people per percent pet phone pick picture piece pieces pile place placed plan plant plate play pool position
possible pound practice prefer prepare present previous problem process profit put quarter question race rain reach
read receive record red refer relay remain remaining remove rent repeat replace replaced rest result return ride right
road roll rolled rolling rolls room round run running runs sale same saturday save school score second section see
select selected sell send seventh share sheet shelf ship shoe shop short shown side sign simple single sister six sixth
size sleep slice slow small smaller snow sold some son song south space spend spent split spoon stack stand standard
start starting state station stay step stick still stop store storm story straight street strip student study succeed
sugar sunday swim table tail tails take taken takes talk tank team tea teacher tell ten tenth test third thousand three
throw thursday ticket time times together told ton took top toss tossed touch toward town toy track train travel tree
trip truck try tuesday turn twelve twice two type unit unknown until upper urn use used usual value vegetable visit
vote wait wall want wash watch water way wear wednesday week weekend weigh weight west wheel white whole wide wife win
wins window winner without woman women wood work worker world worth write writes written wrong yard year yellow zero
arbitrary appear appears area arithmetic assign assignment base called case certain choice common consecutive
considered constructed contained corresponding current defined definition describe digit digits directly distance
element entry entries equally equivalent exist exists expression extend external factor final followed follows
geometric greater identical including independently infinite instead interior internally intersect join known largest
letter limit located maximum measure minimum multiple obtained occurs original outside passes passing path pattern
permutation perpendicular plane polynomial position product property random randomly ratio region regular remaining
repeated represent required rule segment sequence side similar simultaneously solution solutions standard string
subset successive sum sums surface symbol system term theorem total uniformly unique unit vertical whenever
"""

EVERYDAY = frozenset(_EVERYDAY_WORDS.split())
"""Words of everyday stories and of problem texts at large: many problems have them."""
