"""Labels by people: a local page that makes a validity set, and how well several annotators agree."""
