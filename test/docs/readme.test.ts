import { readFileSync } from 'node:fs'
import { join } from 'node:path'

import { expect, test } from 'vitest'

import { openCheckout, serving } from './checkout.ts'
import { openPage, pagePaths, repository } from './pages.ts'

const page = openPage('README.md')
const [start = '', tests = '', check = '', serve = '', ...more] = page.blocks('sh')

test('the configuration that the README shows is in order, and serves', async () => {
  await using checkout = await openCheckout()
  const secrets = { TEAM_A_KEY: 'team-a-secret', OPENAI_API_KEY: 'sk-1', ANTHROPIC_API_KEY: 'sk-2' }
  await checkout.write('dragoman.config.ts', page.block('ts', 'accounts:'))
  const report = await checkout.run(check, secrets)
  expect(report).toMatch(/^Summary/m)
  expect(report).not.toMatch(/sk-1|sk-2|team-a-secret/)
  const { clients } = await serving(checkout.start(serve, secrets))
  expect((await fetch(`${clients}/readyz`)).status).toBe(200)
  const models = await fetch(`${clients}/v1/models`, {
    headers: { authorization: `Bearer ${secrets.TEAM_A_KEY}` },
  })
  expect(await models.json()).toMatchObject({ data: [{ id: 'fast' }] })
})

test('every command of the README is run: here, or by CI on a fresh clone', () => {
  expect([start, tests, more]).toEqual(['npm ci && npm start', 'npm ci && npm test', []])
  const ci = readFileSync(join(repository, '.ci/run'), 'utf8')
  expect(ci).toMatch(/^npm ci$/m)
  expect(ci).toMatch(/^npm test$/m)
})

test('CI runs the tests that `npm test` leaves to a script of their own, but for the heavy ones', () => {
  const { scripts } = JSON.parse(readFileSync(join(repository, 'package.json'), 'utf8')) as {
    scripts: Record<string, string>
  }
  const daily = "--exclude '**/*.heavy.test.ts'"
  const [, run, left] = /(vitest .*) --exclude 'test\/\{(.*)\}\/\*\*'$/.exec(scripts['test']!) ?? []
  const folders = left?.split(',').map((folder) => `test/${folder}`)
  expect(run).toBe(`vitest run ${daily}`)
  expect(scripts['test:commands']).toBe(`vitest run ${folders?.join(' ')} ${daily}`)
  expect(scripts['test:heavy']).toContain('vitest run .heavy.test.ts ')
  expect(readFileSync(join(repository, '.ci/run'), 'utf8')).toMatch(/^npm run test:commands$/m)
})

test('the README stays short, and its map leads to every page', () => {
  expect(page.text.split('\n').length).toBeLessThanOrEqual(200)
  const map = page.section('Documentation')
  // Pages that the package does not have are named by their address.
  const isOnMap = (path: string) =>
    map.includes(`](${path})`) || map.includes(`/blob/main/${path})`)
  const missing = pagePaths().filter((path) => path !== 'README.md' && !isOnMap(path))
  expect(missing).toEqual([])
})
