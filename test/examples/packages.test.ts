import { globSync, readFileSync, readdirSync } from 'node:fs'
import { basename, dirname, join, relative } from 'node:path'

import { describe, expect, test } from 'vitest'

import { openPage, repository } from '../docs/pages.ts'
import { entries, manifest, sourceOf } from '../deploy/package/manifest.ts'

const root = join(repository, 'examples')
const names = globSync('{*,plugins/*}/package.json', { cwd: root }).map(dirname)
const read = (path: string) => readFileSync(join(root, path), 'utf8')

/** Examples that need further packages, in the versions of this repository. */
const needy: ReadonlySet<string> = new Set(['admin-client', 'plugins/quota'])

/** As `tsconfig.json` has them, which may contain comments. */
function pathsOfSources(): Record<string, string[]> {
  const text = readFileSync(join(repository, 'tsconfig.json'), 'utf8')
  const [, paths = ''] = /"paths": (\{[^}]*\})/.exec(text) ?? []
  return JSON.parse(paths)
}

test('the examples that the README of the repository names are those that exist', () => {
  const links = openPage('README.md').text.matchAll(/\(examples\/([\w/-]+)\/README\.md\)/g)
  expect(new Set([...links].map(([, name]) => name))).toEqual(new Set(names))
  for (const name of names) {
    expect(openPage('examples/README.md').text).toContain(
      `| [${basename(name)}](${name}/README.md) |`,
    )
  }
})

describe.each(names)('examples/%s', (name) => {
  const { description, ...facts } = JSON.parse(read(`${name}/package.json`))
  const { [manifest.name]: gateway, ...others } = {
    ...facts.dependencies,
    ...facts.devDependencies,
  }

  test('is a package that starts with one command, and depends on the gateway, and most on it alone', () => {
    expect(description).toBeTruthy()
    expect(facts).toMatchObject({ private: true, type: 'module' })
    expect(gateway).toBe(`file:${relative(join(root, name), repository)}`)
    if (!needy.has(name)) expect(others).toEqual({})
    const tested = JSON.parse(readFileSync(join(repository, 'package.json'), 'utf8'))
    expect({ ...tested.dependencies, ...tested.devDependencies }).toMatchObject(others)
    expect(facts.scripts).toHaveProperty('start')
    expect(openPage(`examples/${name}/README.md`).commands('npm install')).toHaveLength(1)
  })

  const sources = readdirSync(join(root, name)).filter((file) => file.endsWith('.ts'))
  const written = sources.filter((file) => !file.endsWith('.generated.ts'))

  test.each(written)('%s is short, and imports public names only', (file) => {
    const text = read(`${name}/${file}`)
    expect(text.split('\n').length).toBeLessThanOrEqual(101)
    const imported = [...text.matchAll(/(?:from|import) '([^']+)'/g)].map(([, path = '']) => path)
    const isPublic = (path: string) =>
      entries.some(({ specifier }) => specifier === path) ||
      path.startsWith('node:') ||
      path in others
    const isOwn = (path: string) => dirname(path) === '.' && sources.includes(path.slice(2))
    expect(imported.filter((path) => !isPublic(path) && !isOwn(path))).toEqual([])
  })
})

test('the names that the examples import lead to the sources of what the package exports', () => {
  const modules = entries.filter(({ isJson }) => !isJson)
  const sources = modules.map(({ specifier, files: [types = ''] }) => [
    specifier,
    [sourceOf(types)],
  ])
  expect(pathsOfSources()).toEqual(Object.fromEntries(sources))
})
