import { expect, test } from 'vitest'

import { packageVersion } from '../../src/cli/versions.ts'
import { openCheckout, serving, startSandboxOf, withoutAdmin } from './checkout.ts'
import { addressed, openPage } from './pages.ts'

test('the plugin of the page answers a repeated question itself', async () => {
  const page = openPage('docs/plugins.md')
  const [startSandbox = '', start = '', curl = '', ...more] = page.blocks('sh')
  expect(more).toEqual([page.block('sh', 'plugin init')])
  await using checkout = await openCheckout(withoutAdmin)
  const { url: sandbox } = await startSandboxOf(checkout, startSandbox)
  const config = addressed(page.block('ts', 'answer-cache'), { sandbox })
  expect(config).toContain(sandbox)
  await checkout.write('dragoman.config.ts', config)
  const { clients } = await serving(checkout.start(start))
  const ask = () => checkout.run(addressed(curl, { clients }))

  const [first, second] = [await ask(), await ask()]
  expect(first).toContain('HTTP/1.1 200')
  expect(first).not.toContain('x-answer-cache')
  expect(second).toContain('x-answer-cache: hit')
  const idOf = (answer: string) => /"id":"(chatcmpl-\w+)"/.exec(answer)?.[1]
  expect(idOf(second)).toBe(idOf(first))
  expect(idOf(first)).toBeTruthy()
})

test('the module of the page takes the options of the page, and no others', async () => {
  const page = openPage('docs/plugins.md')
  const [entry = ''] = page.block('yaml', 'limit: 600').split("  - use: '@acme")
  await using checkout = await openCheckout(withoutAdmin)
  await checkout.write('quota.ts', page.block('ts', 'strictObject'))
  await checkout.write('dragoman.config.yaml', entry)
  const env = { QUOTA_WEBHOOK: 'https://hooks.example.com/quota' }
  const print = () => checkout.run('npm start --silent -- config print', env)
  expect(await print()).toMatch(/^plugins\[0\]\.options +file +\{"limit":600,"keys":\["set"\]/m)
  await checkout.write('dragoman.config.yaml', entry.replace('600', 'many'))
  await expect(print()).rejects.toThrow(/plugins\[0\]\.options\.limit/)
})

test('the command of the page writes the files of the page', async () => {
  const page = openPage('docs/plugins.md')
  await using checkout = await openCheckout(withoutAdmin)
  const said = await checkout.run(page.block('sh', 'plugin init'))
  const [, folder = '', files = ''] = /into (\S+): (.*)\./.exec(said) ?? []
  const packaging = page.section('Packaging')
  expect(packaging).toContain(`into \`${folder}\``)
  const [table = ''] = /^\| file [^]*?\n\n/m.exec(packaging) ?? []
  const named = Array.from(
    table.matchAll(/`([\w./]+\.(?:ts|json|md))`(?=[^|]*\|.*\|$)/gm),
    ([, file]) => file,
  )
  expect(new Set(named)).toEqual(new Set(files.split(', ').filter((file) => file !== '.gitignore')))
  expect(packaging).toContain(`\`^${packageVersion()}\``)
})

test('the mutation of the page is added to the admin API', async () => {
  const page = openPage('docs/plugins.md')
  await using checkout = await openCheckout()
  await checkout.write('notes.ts', page.block('ts', 'forgetNote'))
  const check = () => checkout.run('npm start --silent -- check')
  await checkout.write('dragoman.config.yaml', 'plugins: [{ use: ./notes.ts }]\n')
  expect(await check()).toContain('notes')
  // Another plugin of this mutation is refused, so `check` has built the schema with it.
  await checkout.write('twin.ts', page.block('ts', 'forgetNote').replace("'notes'", "'twin'"))
  await checkout.write(
    'dragoman.config.yaml',
    'plugins: [{ use: ./notes.ts }, { use: ./twin.ts }]\n',
  )
  await expect(check()).rejects.toThrow(/[Ff]orgetNote/)
})
