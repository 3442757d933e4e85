"""What the results of games say about strengths, and how surely."""
