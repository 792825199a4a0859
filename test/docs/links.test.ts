import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'

import { describe, expect, test } from 'vitest'

import { manifest } from '../deploy/package/manifest.ts'
import { anchorsOf, faultOf, headingsOf, linksOf, published } from './links.ts'
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

describe('the checks of links', () => {
  const page =
    '# One\n\n## Two `words`\n\n```md\n## No heading\n[no link](nowhere.md)\n```\n\n## One\n'

  test('find anchors as GitHub makes them, and none in code', () => {
    expect([...anchorsOf(page)]).toEqual(['one', 'two-words', 'one-1'])
  })

  test('find links to files and headings, and none in code or to other hosts', () => {
    const text = `${page}[a](b.md#c) \`[d](e)\` [f](https://g.example/h) [i](#two-words)`
    expect(linksOf('docs/a.md', text)).toEqual([
      { from: 'docs/a.md', written: 'b.md#c', file: 'docs/b.md', anchor: 'c' },
      { from: 'docs/a.md', written: '#two-words', file: 'docs/a.md', anchor: 'two-words' },
    ])
  })

  test('find links to published files of the repository', () => {
    const [link] = linksOf('docs/a.md', `[a](${published}deploy/b.md#c)`)
    expect(link).toMatchObject({ file: 'deploy/b.md', anchor: 'c' })
  })

  test('find links that lead out of the tarball', () => {
    const text = `[a](../deploy/a.yaml) [b](b.md) [c](${published}deploy/a.yaml) [d](../LICENSE)`
    expect(unpackedLinks('docs/a.md', text)).toEqual(['../deploy/a.yaml'])
  })

  test('tell of files and headings that do not exist', () => {
    const link = { from: 'README.md', written: '' }
    expect(faultOf({ ...link, file: 'docs/nowhere.md' })).toContain('does not exist')
    expect(faultOf({ ...link, file: 'README.md', anchor: 'nowhere' })).toContain('no heading')
    expect(faultOf({ ...link, file: 'README.md', anchor: 'start' })).toBeUndefined()
  })

  test('find sections that are cited and do not exist', () => {
    const [cited] = citationsIn('// (docs/wire/openai.md 99.1)')
    expect(cited).toEqual({ page: 'docs/wire/openai.md', section: '99.1' })
    expect(missing('docs/wire/openai.md', '99.1')).toBeDefined()
    expect(missing('docs/wire/nowhere.md', undefined)).toBeDefined()
  })
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
