import { expect, test } from 'vitest'

import { firstKey, openCheckout, serving, withoutAdmin } from './checkout.ts'
import { errorsRegion, renderErrors } from './errors/table.ts'
import { readGenerated } from './generated.ts'
import { addressed, openPage } from './pages.ts'

const page = openPage('docs/clients.md')

test('a newcomer lists the models and sees an error as the page shows', async () => {
  const [models = '', unknown = '', ...more] = page.blocks('sh')
  expect(more).toEqual([])
  await using checkout = await openCheckout(withoutAdmin)
  const server = checkout.start('npm start')
  const { clients } = await serving(server)
  const key = await firstKey(server)
  const paste = (command: string) =>
    checkout.run(addressed(command, { clients }), { DRAGOMAN_KEY: key })

  const listed = await paste(models)
  expect(listed).toMatch(/^x-request-id: /m)
  expect(listed).toContain('"id":"sandbox/echo"')
  const refused = await paste(unknown)
  expect(refused).toContain('HTTP/1.1 404')
  expect(refused).toMatch(/"code":404.*"details":\[\{"code":"model_not_found"/)
})

test('the page has the errors of the source; `node test/docs/errors/write.ts` writes them', () => {
  expect(readGenerated(page.text, errorsRegion)).toBe(renderErrors())
})
