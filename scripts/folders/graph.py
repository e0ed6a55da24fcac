"""Cycles and orders of a graph: a dictionary from each node to the set of nodes that it uses."""

import collections


def circles(graph):
    """Returns the shortest cycle through each edge, each cycle once, as lists of nodes."""
    found = {}
    for start in sorted(graph):
        for following in sorted(graph[start]):
            path = shortest_path(graph, following, start)
            if path:
                first = path.index(min(path))
                circle = path[first:] + path[:first]
                found[tuple(circle)] = circle
    return sorted(found.values(), key=lambda circle: (len(circle), circle))


def shortest_path(graph, start, end):
    paths = {start: [start]}
    waiting = collections.deque([start])
    while waiting:
        node = waiting.popleft()
        if node == end:
            return paths[node]
        for following in sorted(graph[node]):
            if following not in paths:
                paths[following] = paths[node] + [following]
                waiting.append(following)
    return None


def order(graph):
    """Returns the nodes in dependency order, otherwise by name. Omits nodes in or above a cycle."""
    found = []
    while ready := sorted(node for node in graph if node not in found and graph[node] <= set(found)):
        found.append(ready[0])
    return found
