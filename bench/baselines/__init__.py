"""What the system is measured against: verbalise and read (`rag`), and translate into SQL (`sql`)."""
