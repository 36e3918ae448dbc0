from kubli.bots.random import choose
__all__=["choose"]
