import { expect, test } from 'vitest'

import { codecs, decode } from '../../codecs/samples/index.ts'
import { openPage } from '../../docs/pages.ts'
import { ask } from '../streams/asking.ts'
import { form } from '../streams/forms.ts'
import { startMixed } from './mixed.ts'
import { neverDropped, speakers } from './never-dropped.ts'
import { errorIn } from './pairs.ts'

const accounts = neverDropped.flatMap((one) =>
  speakers.flatMap((account) => (one.takes.includes(account) ? [] : [{ ...one, account }])),
)

test.each(accounts)(
  'a $client client is refused $field by an account of $account, though the policy is `drop`',
  async ({ client, account, fields, field }) => {
    await using mixed = await startMixed({ only: { form: form[account] } }, { losses: 'drop' })

    const response = await ask(mixed.gateway, form[client], { stream: false, fields })

    expect(response.status).toBe(400)
    const { message } = errorIn(form[client], await response.text())
    expect(message).toContain(`\`${field}\``)
    expect(message).toContain('; leave it out, or use a model of an account that speaks the ')
    expect(mixed.accounts.only.requests).toHaveLength(0)
  },
)

const losses = openPage('docs/translation.md').section('Losses')

test.each(neverDropped)('the page lists `$listed` of $client', ({ listed }) => {
  const [, list = ''] = /under every policy(.*?\n\n.*?)\n\n/s.exec(losses) ?? []
  expect(list).toContain(/\s/.test(listed) ? listed : `\`${listed}\``)
})

test('every feature that accounts refuse is among them, but files that the gateway fetches', () => {
  const refused = new Set<string>()
  for (const { lacks = {} } of Object.values(codecs)) {
    for (const [feature, lack] of Object.entries(lacks)) {
      if (lack.treatment === 'native') refused.add(feature)
    }
  }
  const used = neverDropped.flatMap(({ client, fields }) =>
    Object.keys(decode(client, fields).fields),
  )
  const fetched = ['audio_url', 'file_url', 'image_url']
  expect([...refused].filter((feature) => !fetched.includes(feature)).toSorted()).toEqual(
    [...new Set(used)].filter((feature) => refused.has(feature)).toSorted(),
  )
})
