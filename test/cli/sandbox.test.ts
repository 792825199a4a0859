import { expect, test } from 'vitest'

import { openPlace } from './dragoman.ts'

test('the accounts that `sandbox` prints are valid, and reach it', async () => {
  await using place = await openPlace()
  const sandbox = place.start('sandbox --port 0')
  await sandbox.said(/The file of the service account: curl -o \S+ \S+\n/)
  const { stderr } = sandbox.output
  const [, file = '', url = ''] = /curl -o (\S+) (\S+)/.exec(stderr) ?? []
  const own = `${place.path}/service-account.json`
  await place.write('service-account.json', await (await fetch(url)).text())
  const entries = [...stderr.matchAll(/^ {4}\{ id: .*\},$/gm)].map(([entry]) => entry)
  const source = `export default { accounts: [${entries.join('').replaceAll(file, own)}] }`
  await place.write('dragoman.config.mjs', source)
  const { code, stdout } = await place.run('check')
  expect([code, stdout]).toEqual([0, expect.stringMatching(/openrouter +openrouter/)])
  const tested = await place.run('doctor --json')
  const accounts = (JSON.parse(tested.stdout) as { check: string; status: string }[]).filter(
    ({ check }) => check.startsWith('account '),
  )
  expect(accounts).toHaveLength(entries.length)
  expect(accounts).toContainEqual(
    expect.objectContaining({ check: 'account openrouter', status: 'OK' }),
  )
  expect(accounts.filter(({ status }) => status === 'FAIL')).toEqual([])
})
