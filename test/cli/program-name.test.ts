import { expect, test } from 'vitest'

import { programName } from '../../src/cli/hints.ts'
import { issueKeyHint } from '../../src/cli/public-addresses.ts'
import { resolveSettings } from '../../src/configuration/resolve.ts'
import { openPlace } from './dragoman.ts'

const defaults = resolveSettings({}, { env: {} })

test.each<[string, Record<string, string>, string, string]>([
  ['installed', {}, '/usr/bin/dragoman', 'dragoman'],
  ['installed, by its file', {}, '/opt/node_modules/dragoman/dist/main.js', 'dragoman'],
  ['through npx', { npm_lifecycle_event: 'npx' }, '/x/.bin/dragoman', 'npx dragoman'],
  ['as the start script', { npm_lifecycle_event: 'start' }, '/x/.bin/dragoman', 'npm start --'],
  ['by another script', { npm_lifecycle_event: 'gateway' }, '/x/.bin/dragoman', 'dragoman'],
  ['from a checkout', {}, '/home/me/gateway/src/cli/main.ts', 'npm start --'],
  ['from a checkout on Windows', {}, 'C:\\gateway\\src\\cli\\main.ts', 'npm start --'],
  ['by a file of a like name', {}, '/home/me/mysrc/cli/main.ts', 'dragoman'],
])('a program that runs %s is called so', (_how, environment, script, name) => {
  expect(programName(environment, script)).toBe(name)
})

test('in a checkout, every hint can be typed as it stands', async () => {
  await using place = await openPlace()
  const help = await place.run('--help')
  expect(help.stdout).toMatch(/^Usage: npm start -- \[command\] \[options\]\n/)
  expect(help.stdout).toContain('`npm start -- COMMAND --help`')
  const command = await place.run('keys create --help')
  expect(command.stdout).toMatch(/^Usage: npm start -- keys create \[ID\] \[options\]\n/)
  const typo = await place.run('chekc')
  expect(typo.stderr).toContain('`npm start -- --help` lists the commands and options.\n')
})

test('an open gateway without a key says how to issue one', async () => {
  await using place = await openPlace()
  await place.write('dragoman.config.json', '{}')
  const { stderr } = await place.run('serve --host 0.0.0.0 --port 0 --admin-port 0')
  expect(stderr).toContain('issue an API key with `npm start -- keys create`, or')
})

test('a hint to the program that was installed names it', () => {
  expect(issueKeyHint(defaults, {})).toBe('issue an API key with `dragoman keys create`')
})
