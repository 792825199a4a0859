import { stripTypeScriptTypes } from 'node:module'

import { parse } from 'acorn'
import { analyse } from 'scslre'
import { describe, expect, test } from 'vitest'

import { readSources } from './import-graph.ts'

/**
 * Expressions that a long text can hold up, by their files, and the bound of the texts that they get. The time of any
 * other grows with the length of its text alone, whatever a client or an account sends.
 */
const bounded: Readonly<Record<string, string>> = {
  'src/kit/account-path.ts': 'settings',
  'src/accounts/roots.ts': 'settings',
  'src/admin/explain.ts': 'patterns of paths in the code',
  'src/admin/hide-values.ts': 'ends with the first match',
  'src/admin/http/graphiql.ts': 'ends with the first match',
  'src/body/form/watched-parts.ts': 'ends with the first match',
  'src/cli/doctor/proxy.ts': 'settings',
  'src/cli/doctor/telemetry.ts': 'settings',
  'src/cli/healthcheck/index.ts': 'settings',
  'src/cli/plugin-init/name.ts': 'words of the command line',
  'src/cli/remote/address.ts': 'words of the command line',
  'src/configuration/load.ts': 'settings',
  'src/lib/paths.ts': 'settings',
  'src/configuration/shape.ts': 'settings',
  'src/exchange/routes.ts': 'patterns of paths in the code',
  'src/exchange/client.ts': 'addresses of connections, and 64 characters',
  'src/kit/credential.ts': 'a header, whose value begins and ends with no blank',
  'src/kit/secrets/account-patterns.ts': 'settings',
  'src/kit/public-url.ts': 'settings',
  'src/remote/guard.ts': 'settings',
  'src/telemetry/http-labels.ts': 'patterns of paths in the code',
  'src/telemetry/traces/sdk/diagnostics.ts': 'messages of the SDK',
  'src/telemetry/traces/sdk/exporters.ts': 'settings',
}

interface Found {
  readonly path: string
  readonly source: string
  readonly flags: string
}

/** The literal expressions of a module. */
function expressionsIn(path: string, text: string): Found[] {
  const found: Found[] = []
  const visit = (node: unknown): void => {
    if (typeof node !== 'object' || node === null) return
    const { regex } = node as { regex?: { pattern: string; flags: string } }
    if (regex) found.push({ path, source: regex.pattern, flags: regex.flags })
    for (const child of Object.values(node)) visit(child)
  }
  visit(parse(stripTypeScriptTypes(text), { ecmaVersion: 'latest', sourceType: 'module' }))
  return found
}

/** Whether `.*` must reach the end of a line from wherever a match may begin, which the analysis does not find. */
function mustReachEnd({ source, flags }: Found): boolean {
  return !source.startsWith('^') && !flags.includes('s') && /(?<!\\)\.[*+]\??\)*\??\$/.test(source)
}

/** Those whose time can grow faster than the text, as code. */
function slowOnes(path: string, text: string): string[] {
  return expressionsIn(path, text)
    .filter((one) => mustReachEnd(one) || analyse(one).reports.length > 0)
    .map(({ source, flags }) => `${path}: /${source}/${flags}`)
}

const house = readSources(['src', 'plugins', 'config']).filter(
  ({ path }) => !path.startsWith('src/sandbox/'),
)

describe('regular expressions', () => {
  test('take a time that grows with the text alone, unless the texts are bounded', () => {
    const slow = house.flatMap(({ path, text }) => (path in bounded ? [] : slowOnes(path, text)))
    expect(slow).toEqual([])
  })

  test('that are said to be slow are', () => {
    const slow = new Set(
      house.filter(({ path, text }) => slowOnes(path, text).length > 0).map(({ path }) => path),
    )
    expect(Object.keys(bounded).filter((path) => !slow.has(path))).toEqual([])
  })

  test.each([
    String.raw`/^([\w+/\s-]*)([=\s]*)$/`,
    String.raw`/\.([a-z0-9]+)(?:[?#].*)?$/i`,
    String.raw`/^x-|[;+].*$/g`,
    String.raw`/a.*$/`,
    String.raw`/^(a+)+$/`,
  ])('%s is found', (expression) => {
    expect(slowOnes('a.ts', `const one: RegExp = ${expression}`)).toEqual([`a.ts: ${expression}`])
  })
})
