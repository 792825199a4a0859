import { join } from 'node:path'
import { fileOfPackage } from '../packages.ts'
import type { Agent, Launch, Place } from './agent.ts'

const exec = { name: 'exec_command', input: (cmd: string) => ({ cmd }) }

/** Codex in its exec mode, with a model of OpenAI's to which it offers functions. */
export const codex = codexWith('gpt-5.5', exec)

/** With a newer one, which gets one tool that runs JavaScript, in an item of the input. */
export const codexWithCode = codexWith('gpt-6.1-sol', {
  name: 'functions__exec',
  input: (cmd) => `text((await tools.exec_command(${JSON.stringify({ cmd })})).output)`,
})

/**
 * With a model that it knows nothing of: it offers functions only then. What it offers its own models
 * besides (tools that take text, a search among its tools) has no form in other APIs.
 */
export const codexWithForeignModel = codexWith('claude-sonnet-4-6', exec)

/** With the provider that it has built in: it uses a WebSocket, and tells OpenAI more. */
export const codexWithOpenai: Agent = {
  ...codexWithForeignModel,
  name: 'Codex (openai)',
  launch: (place) => launch(place, builtInProvider(place.url)),
}

function codexWith(model: string, shell: Agent['shell']): Agent {
  return {
    name: 'Codex',
    packageName: '@openai/codex',
    dialect: 'responses',
    model,
    shell,
    launch: (place) => launch(place, ownProvider(place.url)),
  }
}

function launch({ home, work, key, model, prompt }: Place, provider: string): Launch {
  return {
    command: [
      process.execPath,
      fileOfPackage('@openai/codex', 'bin/codex.js'),
      ...flags,
      '--cd',
      work,
      '--model',
      model,
      '--',
      prompt,
    ],
    env: { CODEX_HOME: join(home, '.codex'), CODEX_API_KEY: key },
    files: { [join(home, '.codex/config.toml')]: provider + settings },
  }
}

const flags = ['exec', '--skip-git-repo-check', '--sandbox', 'danger-full-access']

function builtInProvider(url: string): string {
  return `openai_base_url = "${url}/v1"\n${topLevel}`
}

function ownProvider(url: string): string {
  return `model_provider = "dragoman"
${topLevel}
[model_providers.dragoman]
name = "Dragoman"
base_url = "${url}/v1"
env_key = "CODEX_API_KEY"
wire_api = "responses"
request_max_retries = 0
stream_max_retries = 0
`
}

/** Codex searches the web with a tool of OpenAI's unless it is told not to. */
const topLevel = `web_search = "disabled"
check_for_update_on_startup = false
`

const settings = `
[analytics]
enabled = false

[feedback]
enabled = false

[features]
apps = false
plugins = false
remote_plugin = false
`
