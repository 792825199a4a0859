import { cp, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import { expect, test, vi } from 'vitest'

import { until } from '../../src/testing/until.ts'
import { addressesOf, anyPorts, openPlace } from './dragoman.ts'

vi.setConfig({ testTimeout: 120_000 })

const repository = join(import.meta.dirname, '../..')

const copied = [
  'config',
  'console',
  'plugins',
  'scripts',
  'src',
  'package.json',
  'package-lock.json',
  'tsconfig.json',
]

/** A checkout of its own, in which `npm start` builds. */
async function openCheckout() {
  const place = await openPlace()
  for (const name of copied)
    await cp(join(repository, name), join(place.path, name), { recursive: true })
  await symlink(join(repository, 'node_modules'), join(place.path, 'node_modules'), 'dir')
  const main = join(place.path, 'src/cli/main.ts')
  const start = (env: Record<string, string>) =>
    place.start('', env, () => ({ file: process.execPath, words: [main, ...anyPorts.split(' ')] }))
  return { ...place, start, [Symbol.asyncDispose]: () => place[Symbol.asyncDispose]() }
}

const byNpm = { npm_lifecycle_event: 'start' }

test('`npm start` serves while the console is built, and where it cannot be built', async () => {
  await using checkout = await openCheckout()
  const entry = join(checkout.path, 'console/src/main.tsx')
  await cp(entry, `${entry}.sound`)
  await writeFile(entry, 'this is no module')
  const broken = checkout.start(byNpm)
  const { operators } = await addressesOf(broken)
  const waiting = await fetch(`${operators}/console/`)
  expect([waiting.status, await waiting.text()]).toEqual([
    503,
    expect.stringContaining('The console is being built'),
  ])
  await broken.said(/The console could not be built: /)
  expect((await fetch(`${operators}/readyz`)).status).toBe(200)
  broken.child.kill('SIGKILL')

  await cp(`${entry}.sound`, entry)
  const sound = checkout.start(byNpm)
  const page = `${(await addressesOf(sound)).operators}/console/`
  await until(async () => (await fetch(page)).ok, 60_000)
  expect(await (await fetch(page)).text()).toContain('<script type="module"')
  sound.child.kill('SIGKILL')

  // Nothing has changed, so nothing is built and nothing is said.
  const again = checkout.start(byNpm)
  const { operators: at } = await addressesOf(again)
  expect((await fetch(`${at}/console/`)).status).toBe(200)
  expect([broken, sound, again].map(({ output }) => output.stderr.match(/being built/g))).toEqual([
    ['being built'],
    ['being built'],
    null,
  ])
})
