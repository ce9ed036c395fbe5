"""PaCoRe at work: rounds of parallel responses and their synthesis over a data set, and what they are worth."""
