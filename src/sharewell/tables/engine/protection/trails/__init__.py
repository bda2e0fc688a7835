"""Groups of persons who publish the same trail: how they are found, aligned and dated."""
