import { expect, test, vi } from 'vitest'

import { variablesOf } from '../../../src/cli/tail/index.ts'
import { until } from '../../../src/testing/until.ts'
import { openPlace } from '../dragoman.ts'
import { openDesk, respond } from './desk.ts'
import { linesOf, tail, interrupt, startStream, missed } from './tailing.ts'

// Each of these starts a process.
vi.setConfig({ testTimeout: 60_000 })

test('an operator follows calls, accounts and acts, a line each, until Ctrl-C', async () => {
  await using desk = await openDesk()
  const following = await tail(desk, '--topics exchanges,accounts,audit,pulse')
  await respond(desk)
  await until(() => linesOf(following).some((line) => line.includes(' exchange.ended ')))
  const ended = linesOf(following).find((line) => line.includes(' exchange.ended '))
  expect(ended).toMatch(/^20\S+Z exchange\.ended id=req_\S+ processId=\S+ keyId=test /)
  expect(ended).toContain(' dialect=responses operation=responses.create model=sandbox/echo ')
  expect(ended).toMatch(/ accountId=a .*status=200 end=COMPLETE /)

  // A change shows against a look before it.
  await until(() => linesOf(following).some((line) => line.includes(' pulse ')))
  await desk.remote('accounts disable a --reason "drill')
  await until(() => linesOf(following).some((line) => line.includes(' account.changed ')))
  const acts = linesOf(following).filter((line) => line.includes(' audit '))
  expect(acts[0]).toMatch(
    / action=account\.disable result=STARTED actor\.kind=TOKEN actor\.id=admin/,
  )
  expect(acts.at(-1)).toMatch(/ result=DONE .*target\.id=a .*reason="\\"drill"/)
  const { code, stderr } = await interrupt(following)
  expect({ code, stderr }).toEqual({ code: 0, stderr: `Following ${desk.gateway.adminUrl}.\n` })
})

test.each([
  [{}, ['EXCHANGES', 'ACCOUNTS', 'CIRCUITS', 'JOBS', 'CONFIGURATION', 'AUDIT']],
  [{ model: 'm' }, ['EXCHANGES']],
  [{ key: 'k' }, ['EXCHANGES', 'JOBS']],
  [{ account: 'a' }, ['EXCHANGES', 'ACCOUNTS', 'CIRCUITS', 'JOBS']],
  [{ dialect: 'chat' }, ['EXCHANGES', 'CIRCUITS']],
  [{ account: 'a', dialect: 'chat' }, ['EXCHANGES', 'CIRCUITS']],
  [{ key: 'k', dialect: 'chat' }, ['EXCHANGES']],
])('without topics, the filter %j shows those that it can select from', (filter, topics) => {
  expect(variablesOf(filter).topics).toEqual(topics)
})

test('the model that a client names cannot steer the terminal that follows it', async () => {
  await using desk = await openDesk()
  const following = await tail(desk)
  await respond(desk, { model: 'x\u001b[2J\u009b31m\nforged line' })
  await until(() => following.output.stdout.includes('exchange.ended'))
  expect(following.output.stdout).not.toMatch(/[^\P{Cc}\n]/u)
  for (const line of linesOf(following)) expect(line).toMatch(/^20\S+Z \w/)
  await interrupt(following)
})

test('a token that is revoked ends what it follows', async () => {
  await using desk = await openDesk()
  const created = await desk.local('admin-tokens create guest --role viewer')
  const env = { ...desk.env(), DRAGOMAN_ADMIN_TOKEN: created.stdout.trim() }
  const following = desk.place.start('tail', env)
  await following.said(/Following/)
  await desk.local('admin-tokens revoke guest')
  const { code, stderr } = await following.ended
  expect(code).toBe(1)
  expect(stderr).toMatch(/refuses the admin token/)
})

test('a reader that has enough ends the command', async () => {
  await using place = await openPlace()
  await using stream = await startStream()
  const env = { DRAGOMAN_ADMIN_URL: stream.url, DRAGOMAN_ADMIN_TOKEN: 'dga_t' }
  const following = place.start('tail --json', env)
  await following.said(/Following/)
  following.child.stdout?.destroy()
  stream.send(missed('QUEUE'))
  await until(() => (stream.send(missed('QUEUE')), following.child.exitCode !== null))
  expect(following.child.exitCode).toBe(0)
})
