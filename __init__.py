"""reqap-kg: questions about your own life, answered from your own exports."""
