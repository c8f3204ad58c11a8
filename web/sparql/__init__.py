"""The SPARQL 1.1 Protocol: queries of any client over the store, by GET and POST. Nothing is written.

In: a store that is kept open. Out: the route `/sparql`. Begin with `endpoint.py`. `requests.py` reads what a request
asks, `negotiation.py` finds the format that it wants, `running.py` answers a query; clients that ask nothing are
told what there is (SPARQL 1.1 Service Description).
"""
