-- speaker - whether this process speaks for all that run a script together: prints, writes files and deletes them.

return { is_first = true }
