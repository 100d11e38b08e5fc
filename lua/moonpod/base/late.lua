-- late - functions of modules that are loaded when one of them is first called: what a script never calls is not read
-- for it.

-- The function of a name in the table that load() gives, which has a require of its own.
return function(load, name)
  return function(...)
    return load()[name](...)
  end
end
