import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'

import { describe, expect, test } from 'vitest'

import { manifest } from '../deploy/package/manifest.ts'
import { faultOf, headingsOf, linksOf, published } from './links.ts'
import { openPage, pagePaths, repository } from './pages.ts'

describe.each(pagePaths())('%s', (path) => {
  test('links to files and headings that exist', () => {
    const faults = linksOf(path, openPage(path).text).flatMap((link) => faultOf(link) ?? [])
    expect(faults).toEqual([])
  })
})

test.each(pagePaths().filter(isPacked))(
  '%s, which is in the tarball, links to files there or to published ones',
  (path) => {
    expect(unpackedLinks(path, openPage(path).text)).toEqual([])
  },
)

test('the sources cite sections of the pages that exist', () => {
  const faults = sources().flatMap((file) => {
    const text = readFileSync(join(repository, file), 'utf8')
    return citationsIn(text).flatMap(({ page, section }) => {
      const fault = missing(page, section)
      return fault === undefined ? [] : [`${file}: ${fault}`]
    })
  })
  expect(faults).toEqual([])
})

/** Whether the tarball has a file of the repository. */
function isPacked(file: string): boolean {
  const named = [...manifest.files, 'package.json']
  return named.some((path) => file === path || file.startsWith(`${path}/`))
}

/** The relative links of a page to files that the tarball lacks. */
function unpackedLinks(path: string, text: string): string[] {
  const lacking = linksOf(path, text).filter(({ file }) => !isPacked(file))
  return lacking.map(({ written }) => written).filter((written) => !written.startsWith(published))
}

interface Citation {
  readonly page: string
  readonly section: string | undefined
}

/** `docs/wire/openai.md 2.4`: a page, and perhaps the number of one of its headings. */
function citationsIn(text: string): Citation[] {
  const citations = text.matchAll(/\b(docs\/[\w/-]+\.md)(?: (\d+(?:\.\d+)*))?/g)
  return [...citations].map(([, page = '', section]) => ({ page, section }))
}

function missing(page: string, section: string | undefined): string | undefined {
  const fault = faultOf({ from: '', written: page, file: page })
  if (fault !== undefined || section === undefined) return fault
  const numbers = headingsOf(openPage(page).text).map((heading) => heading.split(/\.? /)[0])
  return numbers.includes(section) ? undefined : `${page} has no section ${section}`
}

function sources(): string[] {
  return ['src', 'plugins', 'config'].flatMap((folder) =>
    readdirSync(join(repository, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts'))
      .map((name) => `${folder}/${name}`),
  )
}
