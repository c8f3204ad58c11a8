"""What a bank or a payment service shows: payments and income.

In: statements and activity as CSV, OFX, CAMT.053. Out: a record for each transaction. Begin with `transactions.py`,
which says what a record holds, then `bank_csv.py`.
"""
