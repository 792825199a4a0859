import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

import { expect, test } from 'vitest'

import { floors } from '../architecture/floors.ts'
import { openPage, repository } from './pages.ts'

const { text } = openPage('ARCHITECTURE.md')

/** The rows of the table below a heading, without its head. */
function rowsBelow(heading: string): string[][] {
  const [, section = ''] = text.split(`\n## ${heading}\n`)
  const rows = section
    .split('\n## ')[0]!
    .split('\n')
    .filter((line) => line.startsWith('|'))
  return rows.slice(2).map((row) =>
    row
      .slice(1, -1)
      .split('|')
      .map((cell) => cell.trim()),
  )
}

function sourceOf(file: string): string {
  return readFileSync(join(repository, file), 'utf8')
}

/** The words between backticks. */
function quoted(cell: string): string[] {
  return Array.from(cell.matchAll(/`([^`]+)`/g), ([, word = '']) => word)
}

test('the page stays short, and so does its glossary', () => {
  expect(text.split('\n').length).toBeLessThanOrEqual(270)
  expect(rowsBelow('Glossary').length).toBeLessThanOrEqual(34)
  expect(rowsBelow('Glossary').length).toBeGreaterThan(20)
})

test('each of the eight stages is a function in the file that the page names', () => {
  const stages = rowsBelow('The eight stages')
  expect(stages.map(([stage]) => stage)).toEqual([
    'received',
    'identified',
    'understood',
    'routed',
    'prepared',
    'attempted',
    'delivered',
    'settled',
  ])
  for (const [, functions = '', file = ''] of stages) {
    const [path = ''] = quoted(file)
    for (const name of quoted(functions)) {
      expect(sourceOf(path)).toMatch(new RegExp(`^export (async )?function ${name}\\b`, 'm'))
    }
  }
})

test('the gateway calls the stages in the order of the page', () => {
  const story = sourceOf('src/gateway.ts')
  const calls = ['receive(', 'identify(', 'authenticate(', 'understand(', 'attemptCall(']
  const places = calls.map((call) => story.indexOf(call, story.indexOf('async function handle')))
  expect(places.every((place) => place > 0)).toBe(true)
  expect(places).toEqual(places.toSorted((a, b) => a - b))
})

test('the floors of the page are those that the tests hold', () => {
  const drawn = text
    .split('\n')
    .filter((line) => /^ ?\d+ {2}/.test(line))
    .map((line) => line.match(/\b(?:src|plugins|config)(?:\/[\w./-]+)?/g) ?? [])
    .toReversed()
  expect(
    drawn.map((rooms) => rooms.filter((room) => floors.flat().includes(room)).toSorted()),
  ).toEqual(floors.map((rooms) => rooms.toSorted()))
})

test('files and folders that the page and the guide for contributors name exist', () => {
  const pages = `${text}\n${openPage('CONTRIBUTING.md').text}`.replaceAll(/^```[^]*?^```$/gm, '')
  const paths = quoted(pages).filter((word) =>
    /^(src|plugins|config|test|docs)\/[\w./-]+$/.test(word),
  )
  expect(paths.length).toBeGreaterThan(20)
  expect(paths.filter((path) => !existsSync(join(repository, path)))).toEqual([])
})
