import { createServer } from 'node:http'

import { type Config, startGateway } from 'dragoman'
import pipeline from 'dragoman/config'

import { stop } from './stop.ts'
import { createUsage } from './usage.ts'

const usage = createUsage()

const config: Config = {
  keys: [{ id: 'app', secret: 'env:APP_KEY' }],
  // The offline sandbox. Replace it with your accounts:
  // { id: 'openai', provider: 'openai', apiKey: 'env:OPENAI_API_KEY', models: ['gpt-*'] }
  accounts: [
    {
      id: 'sandbox',
      provider: 'sandbox',
      baseUrl: 'http://127.0.0.1:8790',
      apiKey: 'sandbox-key-a',
      models: ['sandbox/*'],
    },
  ],
  plugins: [usage.plugin],
}

const running = await startGateway({ pipeline, config })

/** The application's own page has its path; everything else belongs to the gateway. */
const server = createServer((request, response) => {
  if (request.method !== 'GET' || request.url !== '/usage') {
    return running.listener(request, response)
  }
  response.setHeader('content-type', 'application/json').end(JSON.stringify(usage.byKey()))
})
// Requests may take long to arrive: the gateway has deadlines of its own for them.
server.requestTimeout = 0
server.listen(8000, '127.0.0.1', () => console.error('Listening on http://127.0.0.1:8000.'))

let stopping: Promise<void> | undefined
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  // npm and a terminal may both send the signal, so a second one changes nothing.
  process.on(signal, () => void (stopping ??= stop({ running, server, withinMs: 20_000 })))
}
