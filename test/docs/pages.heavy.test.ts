import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'

import { expect, test } from 'vitest'

import { openPage, pagePaths, repository } from './pages.ts'

/** The names under which this repository has the packages that the examples import. */
const installed = { openai: 'openai-7', '@google/genai': 'genai-2', zod: 'zod' }

test('the TypeScript of the pages fits the types of the gateway and of the SDKs', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'dragoman-types-'))
  await using _ = {
    [Symbol.asyncDispose]: () => rm(directory, { recursive: true, force: true }),
  }
  for (const [name, alias] of Object.entries(installed)) {
    const link = join(directory, 'node_modules', name)
    await mkdir(dirname(link), { recursive: true })
    await symlink(join(repository, 'node_modules', alias), link)
  }
  const examples = pagePaths().flatMap((path) => {
    const page = openPage(path)
    return page.blocks('ts').map((code, index) => {
      return { folder: path.replaceAll('/', '-'), name: page.nameOf(code) ?? `${index}.ts`, code }
    })
  })
  expect(examples.length).toBeGreaterThan(10)
  for (const { folder, name, code } of examples) {
    await mkdir(join(directory, folder), { recursive: true })
    await writeFile(join(directory, folder, name), code)
  }
  await writeFile(join(directory, 'package.json'), JSON.stringify({ type: 'module' }))
  await writeFile(
    join(directory, 'tsconfig.json'),
    JSON.stringify({
      extends: join(repository, 'tsconfig.json'),
      compilerOptions: { typeRoots: [join(repository, 'node_modules/@types')] },
      include: ['*/*.ts'],
    }),
  )

  const tsc = join(repository, 'node_modules/.bin/tsc')
  // Several checkers would each derive the types that they share.
  const words = ['-p', directory, '--checkers', '1']
  const { code, stdout } = await promisify(execFile)(tsc, words).then(
    (output) => ({ code: 0, ...output }),
    (error) => error,
  )

  expect({ code, stdout }).toEqual({ code: 0, stdout: '' })
  // It checks the sources of the gateway as well, and the compiler shares the machine with other tests.
}, 120_000)
