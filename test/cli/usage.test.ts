import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'

import { expect, test } from 'vitest'

import { openPage, pagePaths } from '../docs/pages.ts'
import { openPlace } from './dragoman.ts'

test('--version prints the versions of the package and of the routing layer', async () => {
  await using place = await openPlace()
  const { code, stdout, stderr } = await place.run('--version')
  expect(stdout).toMatch(/^dragoman \d+\.\d+\.\d+\nrouting layer 1\.7\.2\n$/)
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
})

test('--help prints help, as data', async () => {
  await using place = await openPlace()
  const program = await place.run('--help')
  const group = await place.call('keys --help')
  const command = await place.call('keys create -h')
  expect(program.stdout).toContain('keys rotate ID')
  const documented = pagePaths().map((path) => openPage(path).text)
  for (const [variable] of documented.join().matchAll(/\bDRAGOMAN_(?!KEY\b|ACCOUNT_)[A-Z_]+\b/g)) {
    expect(program.stdout).toContain(variable)
  }
  expect(group.stdout).toContain('Usage: dragoman keys COMMAND')
  expect(command.stdout).toContain('--expires TIME')
  expect([program, group, command].map(({ code, stderr }) => [code, stderr])).toEqual([
    [0, ''],
    [0, ''],
    [0, ''],
  ])
})

test('wrong usage is told on stderr with code 2, and without a stack', async () => {
  await using place = await openPlace()
  const { code, stdout, stderr } = await place.run('chekc')
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
  expect(stderr).toBe(
    'dragoman: Unknown command "chekc". Did you mean `check`?\n' +
      '`npm start -- --help` lists the commands and options.\n',
  )
})

test('a stack is shown with --debug alone', async () => {
  await using place = await openPlace()
  await place.write('dragoman.config.mjs', 'throw new Error("no such luck")')
  const plain = await place.run('check')
  expect(plain.code).toBe(3)
  expect(plain.stderr).toContain('no such luck')
  expect(plain.stderr).not.toMatch(/^\s+at /m)
  const debug = await place.run('check --debug')
  expect(debug.code).toBe(3)
  expect(debug.stderr).toMatch(/^\s+at .*dragoman\.config\.mjs:1/m)
})

test.each(['20.20.2', '24.8.0'])('Node %s is refused before anything else', async (node) => {
  const pretend = `Object.defineProperty(process, "versions", { value: { ...process.versions, node: "${node}" } })`
  const main = join(import.meta.dirname, '../../src/cli/main.ts')
  const words = [
    '--import',
    `data:text/javascript,${encodeURIComponent(pretend)}`,
    main,
    '--version',
  ]
  const failure = await promisify(execFile)(process.execPath, words).catch((error) => error)
  expect(failure.code).toBe(1)
  expect(failure.stdout).toBe('')
  expect(failure.stderr).toContain(
    `dragoman: Dragoman requires Node 24.9 or later; this is Node ${node}.\nPut a current Node first in PATH`,
  )
})
