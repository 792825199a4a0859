import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

import { expect, test } from 'vitest'

import { builtAt, builtFiles } from './built.ts'

const kilobyte = 1_000

test('the console is one script and one style, small enough to open at once', async () => {
  const files = await builtFiles()
  const sizesOf = (end: string) =>
    [...files].filter(([path]) => path.endsWith(end)).map(([, size]) => size)
  const [script, ...otherScripts] = sizesOf('.js.gz')
  const [style, ...otherStyles] = sizesOf('.css.gz')
  expect([otherScripts, otherStyles]).toEqual([[], []])
  expect(script).toBeGreaterThan(50 * kilobyte)
  expect(script).toBeLessThanOrEqual(260 * kilobyte)
  expect(style).toBeLessThanOrEqual(20 * kilobyte)
  const all = [...files.values()]
  // A process keeps all of them in memory.
  expect(all.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(1_500 * kilobyte)
})

test('the page of the console has no code of its own, and no address of another host', async () => {
  const files = await builtFiles()
  const page = await readFile(join(builtAt, 'index.html'), 'utf8')
  expect(page).not.toMatch(
    /<script(?![^>]* src="\.\/assets\/)|<style|style=|\son\w+=|https?:|data:/,
  )
  const styles = [...files.keys()].filter((path) => path.endsWith('.css'))
  for (const path of styles)
    expect(await readFile(join(builtAt, path), 'utf8')).not.toMatch(/url\((?!["']?\.?\/?[\w-])/)
  const others = [...files.keys()].filter(
    (path) => !/^assets\/[\w-]+-[\w-]{8}\.(?:(?:js|css)(?:\.br|\.gz)?|woff2)$/.test(path),
  )
  expect(others.toSorted()).toEqual([
    '.stamp',
    'icon.svg',
    'index.html',
    'licenses.txt',
    'operations.json',
  ])
})
