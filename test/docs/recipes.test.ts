import { expect, test } from 'vitest'

import { claudeCode } from '../agents/agents/claude-code.ts'
import { codex } from '../agents/agents/codex.ts'
import { geminiCli } from '../agents/agents/gemini-cli.ts'
import { openCheckout, withoutAdmin } from './checkout.ts'
import { openPage } from './pages.ts'

const page = openPage('docs/recipes.md')

test('the accounts of the recipes are in order', async () => {
  await using checkout = await openCheckout(withoutAdmin)
  await checkout.write('dragoman.config.ts', page.block('ts', 'openrouter'))
  const [check = ''] = page.commands('npm start -- check')
  const report = await checkout.run(check, {
    DRAGOMAN_KEY: 'a-secret-of-24-characters',
    OPENROUTER_API_KEY: 'sk-or',
    GROQ_API_KEY: 'gsk',
  })
  for (const id of ['openrouter', 'groq', 'vllm', 'ollama']) expect(report).toContain(id)
  expect(report).toMatch(/^No problems\.$/m)
})

test('the coding agents find the gateway as those in test/agents do', () => {
  const place = {
    home: '/home',
    work: '/work',
    url: 'http://127.0.0.1:8787',
    key: '$DRAGOMAN_KEY',
    model: 'gpt-5.5',
    prompt: '',
  }
  const row = (name: string) => new RegExp(`^\\| ${name} \\| (.*) \\|$`, 'm').exec(page.text)?.[1]
  for (const agent of [claudeCode, geminiCli]) {
    const { env } = agent.launch(place)
    const [address, key] = [place.url, place.key].map(
      (value) => Object.entries(env).find(([, other]) => other === value)?.[0],
    )
    expect(row(agent.name)).toBe(`\`${address}=${place.url}\` and \`${key}=${place.key}\``)
  }
  const [config = ''] = Object.values(codex.launch(place).files)
  const written = page.block('toml', 'wire_api').replace('"DRAGOMAN_KEY"', '"CODEX_API_KEY"')
  const [model, ...lines] = written.split('\n').filter((line) => line !== '')
  expect(model).toBe('model = "gpt-5.5"')
  for (const line of lines) expect(config).toContain(line)
})
