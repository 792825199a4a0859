import { defineConfig } from 'dragoman'

import { guardrail } from './guardrail.ts'

export default defineConfig({
  keys: [{ id: 'me', secret: 'my-secret' }],
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
  plugins: [guardrail({ refuse: ['launch code'], mask: ['Project Nightfall', 'Nightfall'] })],
})
