import { mkdirSync, mkdtempSync, writeFileSync, existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { randomBytes } from 'node:crypto'
import { createTestGateway } from '../../src/testing/index.ts'
import { claudeCode } from './agents/claude-code.ts'
import { codex } from './agents/codex.ts'
import { geminiCli } from './agents/gemini-cli.ts'
import { opencodeChat, opencodeMessages } from './agents/opencode.ts'
import { startScriptedModel } from './model/scripted-model.ts'
import { startOutside } from './outside.ts'
import { runAgent, endAgentsOnExit } from './run-agent.ts'
import { accountModels } from './dialects.ts'
endAgentsOnExit()
const agents: any = { claude: claudeCode, codex, gemini: geminiCli, och: opencodeChat, ocm: opencodeMessages }
const [, , which, dialect] = process.argv as any
const agent = agents[which]
const dir = mkdtempSync('/tmp/agents/run-')
const home = join(dir, 'home'), work = join(dir, 'work')
mkdirSync(join(home, 'tmp'), { recursive: true }); mkdirSync(work)
const word = 'w' + randomBytes(8).toString('hex')
writeFileSync(join(work, 'secret.txt'), word + '\n')
await using model = await startScriptedModel({ tool: agent.shell.name, input: agent.shell.input('tee proof.txt < secret.txt'), word })
await using gw = await createTestGateway({ accounts: [{ id: 'acc', provider: 'sandbox', baseUrl: model.url, apiKey: model.apiKey, speaks: [dialect], models: { [agent.model]: (accountModels as any)[dialect], ...(process.env.ALL ? {'*': '*'} : {}) } }] })
await using out = await startOutside()
const run = await runAgent(agent, { home, work, url: gw.url, key: gw.key, model: agent.model, prompt: 'Copy secret.txt to proof.txt with the shell and tell me what the file says.' }, out.env)
console.log(run.exitCode, run.seconds, '\n--out', run.stdout.slice(-3000), '\n--err', run.stderr.slice(-3000))
console.log('proof', existsSync(join(work, 'proof.txt')) && readFileSync(join(work, 'proof.txt'), 'utf8') === word + '\n', 'word in output', run.stdout.includes(word))
console.log('outside', [...out.wanted])
for (const l of gw.accessLog as any[]) console.log(l.method, l.path, l.status, l.error_type, l.model_requested, l.account, l.stream_end, l.bytes_in)
for (const l of gw.log as any[]) console.log('LOG', JSON.stringify(l))
for (const r of model.requests) console.log('UP', r.method, r.url, r.status, r.told, r.body.length, r.refusal)
writeFileSync(join(dir, 'requests.json'), JSON.stringify(model.requests.map(r => ({ ...r, body: (() => { try { return JSON.parse(r.body) } catch { return r.body } })() })), null, 1))
console.log(dir)
