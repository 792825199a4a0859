import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'

import { expect, test } from 'vitest'

import type { Problem } from '../../src/contract/problems.ts'

type Outcome = { loaded?: { file: string; config: unknown } | null; problems?: Problem[] }

/** Writes files below a directory of its own and loads some of them in one process of Node. */
async function load(files: Record<string, string>, paths: string[], waitMs?: number) {
  const directory = await mkdtemp(join(tmpdir(), 'dragoman-test-'))
  try {
    for (const [name, content] of Object.entries(files)) {
      await mkdir(dirname(join(directory, name)), { recursive: true })
      await writeFile(join(directory, name), content)
    }
    const script = join(import.meta.dirname, 'load-all.ts')
    const { stdout, stderr } = await promisify(execFile)(process.execPath, [script, ...paths], {
      cwd: directory,
      env: { ...process.env, ...(waitMs !== undefined && { WAIT_MS: String(waitMs) }) },
    })
    const local = stdout.replaceAll(`${directory}/`, '')
    return { outcomes: JSON.parse(local) as Outcome[], stderr }
  } finally {
    await rm(directory, { recursive: true })
  }
}

const good = 'export default { errors: "spec" }'

test('each kind of file is found in its directory and read', async () => {
  const { outcomes, stderr } = await load(
    {
      'ts/dragoman.config.ts': 'const errors: string = "spec"\nexport default { errors }',
      'mts/dragoman.config.mts': good,
      'js/dragoman.config.js': good,
      'cjs/package.json': '{"type":"commonjs"}',
      'cjs/dragoman.config.js': 'module.exports = { errors: "spec" }',
      'defaults.js': 'module.exports = {}',
      'mjs/dragoman.config.mjs': good,
      'json/dragoman.config.json': '\uFEFF{"errors":"spec"}',
      'yaml/dragoman.config.yaml': '\uFEFF# all defaults but one\nerrors: spec\n',
      'yml/dragoman.config.yml': '{"errors": "spec"}',
      'none/other.ts': good,
      'own/dragoman.config.ts':
        'import { defineConfig } from "dragoman"\nexport default defineConfig({ errors: "spec" })',
    },
    'ts/ mts/ js/ cjs/ mjs/ json/ yaml/ yml/ none/ none none/other.ts ts own/ defaults.js'.split(
      ' ',
    ),
  )
  const loaded = (file: string) => ({ loaded: { file, config: { errors: 'spec' } } })
  expect(outcomes).toEqual([
    loaded('ts/dragoman.config.ts'),
    loaded('mts/dragoman.config.mts'),
    loaded('js/dragoman.config.js'),
    loaded('cjs/dragoman.config.js'),
    loaded('mjs/dragoman.config.mjs'),
    loaded('json/dragoman.config.json'),
    loaded('yaml/dragoman.config.yaml'),
    loaded('yml/dragoman.config.yml'),
    { loaded: null },
    { problems: [expect.objectContaining({ message: 'no such file' })] },
    loaded('none/other.ts'),
    loaded('ts/dragoman.config.ts'),
    loaded('own/dragoman.config.ts'),
    { loaded: { file: 'defaults.js', config: {} } },
  ])
  expect(stderr).toBe('')
})

test('what cannot be read is told with its place and a fix', async () => {
  const { outcomes, stderr } = await load(
    {
      'dragoman.config.ts': good,
      'two/dragoman.config.ts': good,
      'two/dragoman.config.json': '{}',
      'three/dragoman.config.yml': '',
      'three/dragoman.config.yaml': '',
      'toml/dragoman.config.toml': 'errors = "spec"',
      'enum.mts': 'const a = 1\nenum A { B }\nexport default { a, b: A.B }',
      'syntax.ts': 'export default {\n  a: 1\n  b: 2\n}',
      'syntax.mjs': 'export default {\n  a: 1\n  b: 2\n}',
      'broken-part.mjs': 'import { a } from "./part.mjs"\nexport default a',
      'part.mjs': '\n\nexport const a = {{',
      'comma.json': '{\n  "errors": "spec",\n}',
      'early.json': '{\n  "errors": "spec"',
      'empty.json': '',
      'no-default.mjs': 'export const config = {}',
      'typeless/dragoman.config.js': 'const accounts = []',
      'empty.ts': '',
      'package.mjs': 'import "not-installed-anywhere"\nexport default {}',
      'throws.mjs': 'const config = {}\nconfig.a.b = 1\nexport default config',
      'common/package.json': '{"type":"commonjs"}',
      'common/dragoman.config.ts': good,
    },
    `dragoman.confg.ts two/ three/ toml/ toml/dragoman.config.toml enum.mts syntax.ts syntax.mjs
     broken-part.mjs comma.json early.json empty.json no-default.mjs typeless/ empty.ts package.mjs throws.mjs common/`.split(
      /\s+/,
    ),
  )
  expect(outcomes.map(({ problems }) => problems?.[0] ?? 'loaded')).toEqual([
    problem('dragoman.confg.ts', 'no such file', 'did you mean dragoman.config.ts?'),
    problem(
      'two',
      'contains several configurations: dragoman.config.json, dragoman.config.ts',
      'keep one of them, or choose with --config',
    ),
    problem('three', /: dragoman\.config\.yaml, dragoman\.config\.yml$/, /--config/),
    problem('toml/dragoman.config.toml', /not a supported .* type/, /dragoman\.config\.ts.*yml/),
    problem('toml/dragoman.config.toml', /not a supported .* type/, /dragoman\.config\.ts.*yml/),
    problem('enum.mts:2', /TypeScript enum/, /^use a const object instead of an enum/),
    problem('syntax.ts:3', /^syntax error: Expected ','/, /./),
    problem('syntax.mjs:3', "syntax error: Unexpected identifier 'b'", /./),
    problem('part.mjs:3', /^syntax error/, /./),
    problem('comma.json:3:1', 'is not JSON: syntax error', /trailing commas/),
    problem('early.json:2:19', 'is not JSON: premature end', /./),
    problem('empty.json:1:1', 'is not JSON: premature end', /./),
    problem('no-default.mjs', 'has no default export', /export default defineConfig/),
    problem('typeless/dragoman.config.js', 'has no default export', /export default defineConfig/),
    problem('empty.ts', 'has no default export', /export default defineConfig/),
    problem('package.mjs', /not-installed-anywhere/, /^install the package/),
    problem('throws.mjs:2', /^failed while it was loaded: TypeError/, /--debug/),
    problem(
      'common/dragoman.config.ts',
      /says "type": "commonjs"/,
      /^rename it to common\/dragoman\.config\.mts, or set "type": "module"/,
    ),
  ])
  expect(stderr).toBe('')
})

test('a module that does not end to load is a problem', async () => {
  const files = {
    'awaits.mts': 'await new Promise(() => {})\nexport default {}',
    'promise.mjs': 'export default new Promise(() => {})',
    'then.mjs': 'export default {}\nexport const then = () => {}',
  }
  const { outcomes } = await load(files, Object.keys(files), 500)
  const told = (path: string) => ({
    problems: [problem(path, 'was not loaded within 0.5 s', /^end the work at its top level/)],
  })
  expect(outcomes).toEqual(Object.keys(files).map(told))
})

test('a secret beside a mistake is in no message and no stack trace', async () => {
  const secret = 'sk_live_2f6b1c0d9e8a7745'
  const files = {
    'token.json': `{ "accounts": [{ "apiKey": ${secret} }] }`,
    'comma.json': `{\n  "apiKey": "${secret}"\n  "id": "a"\n}`,
    'escape.json': `{"apiKey": "${secret}\\x"}`,
    'name.mjs': `export default {\n  apiKey: x ${secret} }`,
    'name.ts': `export default {\n  apiKey: x ${secret} }`,
    'text.mjs': `export default { apiKey: 'x' '${secret}' }`,
    'text.ts': `export default { apiKey: 'x' '${secret}' }`,
    'unquoted.mjs': `export default { apiKey: ${secret} }`,
    'parsed.mjs': `export default JSON.parse('{"apiKey": ${secret}}')`,
    'after.yaml': `apiKey: "x" ${secret}\n`,
    'closed.yaml': `accounts: [] ] ${secret}\n`,
    'reserved.yaml': `apiKey: @${secret}\n`,
    'escape.yaml': `apiKey: "\\${secret}"\n`,
    'directive.yaml': `%${secret} x\n---\na: 1\n`,
    'tagged.yaml': `apiKey: !${secret} x\n`,
    'open.yaml': `apiKey: "${secret}\n`,
  }

  const { outcomes, stderr } = await load(files, Object.keys(files))

  for (const [index, { problems }] of outcomes.entries()) {
    const file = Object.keys(files)[index]
    expect([file, problems?.length, problems?.[0]?.path]).toEqual([
      file,
      1,
      expect.stringMatching(/:\d+/),
    ])
  }
  expect(JSON.stringify(outcomes)).not.toContain('2f6b1c0d')
  expect(stderr).toBe('')
})

function problem(path: string, message: string | RegExp, fix: string | RegExp): unknown {
  const like = (text: string | RegExp) =>
    typeof text === 'string' ? text : expect.stringMatching(text)
  return { path, message: like(message), fix: like(fix) }
}
