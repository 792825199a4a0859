import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

import { expect, test } from 'vitest'

import { type Checkout, openCheckout, serving, withoutAdmin } from './checkout.ts'
import { addressed, openPage, repository } from './pages.ts'
import { printed } from './shells.ts'

const page = openPage('docs/dialects.md')
const dialect = page.block('ts', 'class ParrotObserver')

/** Starts the account and the gateway of the page. */
async function start(checkout: Checkout) {
  const [account = ''] = page.blocks('js')
  const [startAccount = '', startGateway = ''] = page.blocks('sh')
  await checkout.write('aviary.mjs', account.replace('8790', '0'))
  await checkout.write('parrot.ts', dialect)
  const [, port = ''] = await printed(checkout.start(startAccount), /on port (\d+)/)
  const config = page.block('ts', 'defineConfig')
  await checkout.write('dragoman.config.ts', config.replace('8790', port))
  return serving(checkout.start(startGateway))
}

test('the dialect of the page is about sixty lines long', () => {
  const [, code = ''] = dialect.split("from 'dragoman/dialect'")
  const lines = code.split('\n').filter((line) => line.trim() !== '')
  expect(lines.length).toBeGreaterThan(30)
  expect(lines.length).toBeLessThan(66)
})

test('a newcomer adds a dialect as the page shows, and calls it whole and streamed', async () => {
  await using checkout = await openCheckout(withoutAdmin)
  const { clients } = await start(checkout)
  const [whole = '', streamed = '', ...more] = page.commands('curl')
  expect(more).toEqual([])

  const reply = await checkout.run(addressed(whole, { clients }))
  expect(reply).toContain('HTTP/1.1 200')
  expect(reply).toContain('x-dragoman-account: polly')
  expect(reply).toContain('{"id":"parrot_1","model":"polly-1","text":"hello there"}')
  expect(await checkout.run(addressed(streamed, { clients }))).toContain(
    'event: word\ndata: {"word":"there"}\n\nevent: end\ndata: {"id":"parrot_1"',
  )

  expect(await checkout.run(addressed(whole.replace('my-secret', 'wrong'), { clients }))).toContain(
    '{"error":{"code":"unauthenticated"',
  )
  const report = await checkout.run('npm start -- check --routes')
  expect(report).toContain('/parrot/v1/repeat')
  const described = await fetch(`${clients}/openapi.json`)
  expect(await described.json()).toMatchObject({
    paths: { '/parrot/v1/repeat': { post: { operationId: 'parrot.repeat' } } },
  })
})

/** The files behind the imports of the page, as the installed package resolves them. */
const entries = {
  'dragoman/dialect': 'src/dialect-kit/index.ts',
  'dragoman/testing': 'src/testing/index.ts',
}

function installed(code: string): string {
  return Object.entries(entries).reduce(
    (text, [name, file]) =>
      text.replaceAll(`from '${name}'`, `from '${pathToFileURL(join(repository, file)).href}'`),
    code,
  )
}

test('the dialect of the page passes the contract suite, as the page runs it', async () => {
  await using checkout = await openCheckout(withoutAdmin)
  const suite = page.block('ts', 'dialectContract')
  await checkout.write('parrot.ts', installed(dialect))
  await checkout.write('parrot.test.ts', installed(suite))
  const [command = ''] = page.commands('node --test')

  const report = await checkout.run(command)

  expect(Number(/\bpass (\d+)/.exec(report)?.[1])).toBeGreaterThan(10)
  expect(report).toMatch(/\bfail 0\b/)
})

test('the contract suite of the page finds a dialect that takes every end for a good one', async () => {
  await using checkout = await openCheckout(withoutAdmin)
  const suite = page.block('ts', 'dialectContract')
  const wrong = dialect.replace(
    'end = () => endedEarly()',
    "end = () => ({ phase: 'terminal' as const })",
  )
  expect(wrong).not.toBe(dialect)
  await checkout.write('parrot.ts', installed(wrong))
  await checkout.write('parrot.test.ts', installed(suite))

  const failed = checkout.run(page.commands('node --test')[0] ?? '')

  await expect(failed).rejects.toThrow(/a stream that ends after 2 of 3 frames is no success/)
})
