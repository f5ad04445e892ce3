"""What people run beside the product: checks, measurements, the diagram, planted faults."""
