"""What Chinese answers say beside formulas: units, counting words, phrases."""

from __future__ import annotations

import re

from curation.answers.number_words import chinese_in_digits

_UNITS = {
    "平方千米": "km^2", "平方公里": "km^2", "平方米": "m^2", "平方厘米": "cm^2", "平方分米": "dm^2",
    "平方毫米": "mm^2", "立方米": "m^3", "立方厘米": "cm^3", "立方分米": "dm^3", "千米/时": "km/h",
    "千米/小时": "km/h", "米/秒": "m/s", "千米": "km", "公里": "km", "厘米": "cm", "分米": "dm", "毫米": "mm",
    "米": "meters", "千克": "kg", "公斤": "kg", "克": "grams", "吨": "tonnes", "小时": "hours", "分钟": "minutes",
    "秒": "seconds", "天": "days", "毫升": "mL", "升": "liters", "元": "yuan", "度": "degrees",
}  # fmt: skip
_COUNTED = "个人只本张条辆棵颗块枚名位种次件组对岁页题间支把台盒袋箱"
_AFTER_NUMBER = re.compile(
    rf"(?<=[\d}})\]%$])\s*(?:({'|'.join(sorted(_UNITS, key=len, reverse=True))})|[{_COUNTED}](?:人|数)?)"
    r"(?![\u4e00-\u9fff])"
)
_PHRASES = {
    "是": "yes", "对": "yes", "正确": "yes", "否": "no", "不是": "no", "错": "no", "错误": "no", "不正确": "no",
    "无解": "no solution", "空集": "no solution", "不存在": "does not exist", "全体实数": "all real numbers",
    "一切实数": "all real numbers", "任意实数": "all real numbers", "所有实数": "all real numbers",
}  # fmt: skip
_LONGEST = 2_000
_HAN = re.compile("[\u4e00-\u9fff]")
_HAN_IN_TEXT = re.compile(r"(?:\\[ ,;!]|~|\s)*\\(?:text|mathrm|mbox|textrm)\s*\{\s*([\u4e00-\u9fff/]+)\s*\}")


def in_plain_signs(text: str) -> str:
    """Return an answer with its Chinese numbers, units and phrases in English; others come back as they are.

    ``5厘米`` becomes ``5 cm``, ``三个`` and ``3个`` become ``3``, ``无解`` becomes ``no solution``.
    """
    if len(text) > _LONGEST or not _HAN.search(text):
        return text
    text = _HAN_IN_TEXT.sub(r"\1", text)
    phrase = _PHRASES.get(text.strip(" .。$"))
    if phrase:
        return phrase
    return _AFTER_NUMBER.sub(lambda found: f" {_UNITS[found.group(1)]}" if found.group(1) else "", _numbers(text))


def _numbers(text: str) -> str:
    digits = chinese_in_digits(text)
    rest = digits.lstrip("-0123456789/.")
    # A number before other words than its unit may be the start of a name.
    return digits if not rest.strip(" .。") or _AFTER_NUMBER.fullmatch(digits, len(digits) - len(rest)) else text
