import { describe, expect, test } from 'vitest'

import { type Answer, answerJson } from '../../../src/testing/fake-account.ts'
import { ask } from './asking.ts'
import { forms } from './forms.ts'
import { stage } from './scripted.ts'

const html: Answer = (response) =>
  void response.writeHead(200, { 'content-type': 'text/html' }).end('<h1>Maintenance</h1>')

const empty: Answer = (response) => void response.writeHead(204).end()

describe.each(forms)('a client that asked for a $name stream', (form) => {
  test.each([
    { what: 'another JSON document', script: answerJson({ object: 'list' }) },
    { what: 'an HTML page', script: html },
    { what: 'nothing', script: empty },
  ])('gets an error in its dialect when the account answers with $what', async ({ script }) => {
    await using scene = await stage(form, script)

    const response = await ask(scene.gateway, form)

    expect(response.status).toBe(502)
    expect(response.headers.get('content-type')).toMatch(/^application\/json/)
    expect(await response.json()).toMatchObject({
      error: { code: 502, message: expect.any(String), details: [expect.any(Object)] },
    })
    const [line] = await scene.gateway.logged(1)
    expect(line).toMatchObject({
      status: 502,
      stream: false,
      error_type: 'upstream_invalid_reply',
      level: 'error',
    })
  })
})

describe.concurrent.each(forms.filter(({ name }) => name !== 'generate-array'))(
  'a client that asked for a $name reply in JSON',
  (form) => {
    const text = JSON.stringify(form.reply)

    test.each<{ what: string; script: Answer; errorType: string; status: number }>([
      { what: 'an HTML page', script: html, errorType: 'upstream_invalid_reply', status: 502 },
      { what: 'nothing', script: empty, errorType: 'upstream_invalid_reply', status: 502 },
      {
        what: 'half of the JSON and a good end',
        script: answerJson(text.slice(0, -20)),
        errorType: 'upstream_invalid_reply',
        status: 502,
      },
      {
        what: 'half of the JSON and a cut',
        script(response) {
          response.writeHead(200, { 'content-length': text.length })
          response.write(text.slice(0, -20), () => response.socket?.destroySoon())
        },
        errorType: 'upstream_unreachable',
        status: 502,
      },
      {
        what: 'half of the JSON and silence',
        script: (response) => void response.writeHead(200).write(text.slice(0, -20)),
        errorType: 'upstream_timeout',
        status: 504,
      },
    ])('gets an error in its dialect for $what', async ({ script, errorType, status }) => {
      await using scene = await stage(form, script, { timeouts: { idleMs: 200 } })

      const response = await ask(scene.gateway, form, { stream: false })

      expect(response.status).toBe(status)
      expect(await response.json()).toMatchObject({ error: { code: status } })
      expect((await scene.gateway.logged(1))[0]).toMatchObject({ status, error_type: errorType })
    })
  },
)
