"""Units of measure and counting words that may follow a value in an answer."""

from __future__ import annotations

UNITS = frozenset(
    (
        "unit units degree degrees radian radians percent percentage point points cent cents dollar dollars usd euro euros pound pounds yen yuan rupee rupees rubles ruble kopecks peso pesos shilling shillings "
        "second seconds sec secs minute minutes min mins hour hours hr hrs day days week weeks month months year years decade decades century centuries am pm "
        "meter meters metre metres centimeter centimeters centimetre centimetres millimeter millimeters millimetre millimetres kilometer kilometers kilometre kilometres cm mm km dm nm um mi inch inches in foot feet ft yard yards yd mile miles acre acres hectare hectares ha light "
        "square sq cubic cu gram grams kg kilogram kilograms mg milligram milligrams ton tons tonne tonnes ounce ounces oz lb lbs liter liters litre litres ml milliliter milliliters millilitres gallon gallons pint pints quart quarts cup cups "
        "mph kph kmh km/h fps hz khz mhz newton newtons joule joules watt watts kw kwh volt volts amp amps ohm ohms mol mole moles pa kpa atm bar bars kelvin celsius fahrenheit calories calorie kcal ev mev gev erg ergs dyne dynes tesla gauss "
        "time times way ways people person persons student students child children boys girls men women coin coins apple apples book books ball balls piece pieces item items tile tiles stick sticks marbles marble game games step steps move moves ticket tickets page pages "
        "word words letter letters digit digits side sides edge edges face faces vertex vertices term terms row rows column columns card cards box boxes bag bags car cars dozen dozens pairs pair triple triples set sets team teams per each "
        "square_units cubic_units arcsec arcmin arcseconds arcminutes parsec parsecs au ly solar mass masses bits bit bytes byte"
    ).split()
)
"""English units and counted things, in lower case."""

ABBREVIATIONS = frozenset("rad deg rev rpm mi yr yrs min cos sin".split())

CHINESE_UNITS = frozenset(
    "元 角 分 万元 亿元 万 亿 个 只 条 头 名 人 位 张 本 页 种 次 天 日 月 年 小时 时 分钟 秒 秒钟 米 厘米 分米 毫米 千米 公里 平方米 平方厘米 平方分米 平方千米 立方米 立方厘米 立方分米 克 千克 公斤 吨 升 毫升 度 倍 岁 块 支 枝 棵 件 袋 箱 盒 组 对 双 步 层 圈 台 辆 或 和 且 点".split()
)
"""Chinese units and counting words."""
