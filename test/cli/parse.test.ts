import { expect, test } from 'vitest'

import { UsageError } from '../../src/cli/command.ts'
import { commands } from '../../src/cli/commands.ts'
import { commandHelp, programHelp } from '../../src/cli/help.ts'
import { parseCommandLine } from '../../src/cli/parse.ts'

function parse(line: string) {
  const parsed = parseCommandLine(line.split(' ').filter(Boolean), commands)
  return { command: parsed.command?.name, options: parsed.options, operand: parsed.operand }
}

test.each([
  ['', { command: 'serve', options: {} }],
  ['-c my.ts -p 80', { command: 'serve', options: { config: 'my.ts', port: '80' } }],
  ['serve --port=80 --debug', { command: 'serve', options: { port: '80', debug: '' } }],
  ['--debug check', { command: 'check', options: { debug: '' } }],
  ['check --port 1 --port 2', { command: 'check', options: { port: '2' } }],
  ['keys create --id a --json', { command: 'keys create', options: { id: 'a', json: '' } }],
  ['keys rotate bootstrap', { command: 'keys rotate', options: {}, operand: 'bootstrap' }],
  ['keys --debug rotate a', { command: 'keys rotate', options: { debug: '' }, operand: 'a' }],
  ['tail --key a --json', { command: 'tail', options: { key: 'a', json: '' } }],
  [
    'jobs forget a --reason why --url http://127.0.0.1:1',
    {
      command: 'jobs forget',
      options: { reason: 'why', url: 'http://127.0.0.1:1' },
      operand: 'a',
    },
  ],
  ['config print --yaml', { command: 'config print', options: { yaml: '' } }],
  ['healthcheck --ready', { command: 'healthcheck', options: { ready: '' } }],
  ['doctor --json', { command: 'doctor', options: { json: '' } }],
  ['sandbox -p 1', { command: 'sandbox', options: { port: '1' } }],
  ['--help', { options: { help: '' } }],
  ['keys -h', { options: { help: '' }, operand: 'keys' }],
  ['keys list -h', { command: 'keys list', options: { help: '' } }],
  ['--version', { options: { version: '' } }],
])('dragoman %s', (line, expected) => {
  expect(parse(line)).toEqual(expected)
})

test.each([
  ['chekc', 'Unknown command "chekc". Did you mean `check`?'],
  ['keys lsit', 'Unknown command "keys lsit". Did you mean `keys list`?'],
  [
    'deploy',
    'Unknown command "deploy". Commands: serve, check, init, plugin, doctor, healthcheck, config, keys, teams, limits, prices, admin-tokens, accounts, bindings, jobs, explain, usage, tail, secrets, audit, sandbox.',
  ],
  ['keys', '`keys` requires one of create, update, list, disable, enable, revoke, rotate.'],
  ['--prot 80', 'Unknown option "--prot". Did you mean `--port`?'],
  ['check --confg x', 'Unknown option "--confg". Did you mean `--config`?'],
  ['-x', /^Unknown option "-x"\./],
  ['check --id a', '`check` does not accept --id.'],
  ['keys list --port 1', '`keys list` does not accept --port.'],
  ['check --url http://127.0.0.1:1', '`check` does not accept --url.'],
  ['bindings forget a b', '`bindings forget` takes one ID, not 2: a, b.'],
  ['check extra', '`check` does not accept "extra".'],
  ['keys rotate a b', '`keys rotate` takes one ID, not 2: a, b.'],
  ['accounts disable a b c', '`accounts disable` takes one ID, not 3: a, b, c.'],
  ['keys create a b', '`keys create` takes one ID, not 2: a, b.'],
  ['--port', '--port requires a value: --port PORT'],
  ['-c --debug', '-c requires a value: -c FILE'],
  ['--debug=yes', '--debug takes no value.'],
])('dragoman %s is refused', (line, message) => {
  expect(() => parse(line)).toThrow(UsageError)
  expect(() => parse(line)).toThrow(message)
})

test('help names every command and every option', () => {
  const help = programHelp(commands)
  for (const command of commands) {
    expect(help).toContain(`  ${command.name} `)
    expect(help).toContain(command.summary)
    const own = commandHelp(command)
    for (const { name, help: text } of command.options) {
      expect(own).toContain(`--${name}`)
      expect(own).toContain(text)
    }
  }
  expect(programHelp(commands, 'keys')).not.toContain('sandbox')
})
