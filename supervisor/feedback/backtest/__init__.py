"""The backtest: what agents did before, judged as it would have been judged. Nothing is run again."""
