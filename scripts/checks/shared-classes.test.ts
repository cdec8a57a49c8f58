import { expect, test } from 'vitest'
import { findSharedClasses } from './shared-classes.ts'

const shared = (...texts: string[]) => [
  ...findSharedClasses(texts.map((text, nth) => ({ path: `${nth}.css`, text }))),
]

test('findSharedClasses reports a class for which two style sheets have rules', () => {
  expect(shared('.badge { color: red; }', '.card > .badge:hover { color: blue; }')).toEqual([
    ['badge', ['0.css', '1.css']],
  ])
})

test.each([
  ['in a rule of a media query', '@media print { .badge { display: none; } }'],
  ['in a list of selectors', '.card,\n.badge::before { content: ""; }'],
  ['in a nested rule', '.card { color: red; .badge { color: blue; } }'],
])('findSharedClasses finds a class %s', (_, text) => {
  expect(shared('.badge { color: red; }', text)).toHaveLength(1)
})

test.each([
  ['a comment', '/* .badge { } */'],
  ['a file name', "@import './ui.badge.css';"],
  ['a number', '.card { margin: .5rem; }'],
  ['an attribute', "[href='a.badge'] { color: red; }"],
])('findSharedClasses ignores %s', (_, text) => {
  expect(shared('.badge { color: red; }', text)).toEqual([])
})
