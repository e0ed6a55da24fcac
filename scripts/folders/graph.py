"""Circles and orders of a graph: a dictionary of each node and the set of nodes that it uses."""

import collections


def circles(graph):
    """The shortest circle through each edge that is in one, each circle once, as a list of its nodes."""
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
    """The nodes, each after the nodes that it uses, by name where the edges leave a choice. Leaves circles out."""
    found = []
    while ready := sorted(node for node in graph if node not in found and graph[node] <= set(found)):
        found.append(ready[0])
    return found
