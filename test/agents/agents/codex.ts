import { join } from 'node:path'
import { fileOfPackage } from '../packages.ts'
import type { Agent } from './agent.ts'

/** Codex, in its exec mode. */
export const codex: Agent = {
  name: 'Codex',
  packageName: '@openai/codex',
  dialect: 'responses',
  model: (process.env.M ?? 'claude-sonnet-4-6'),
  shell: process.env.M ? {name:'functions__exec', input: (command) => ({ input: `const result = await tools.exec_command(${JSON.stringify({ cmd: command })})\ntext(result)` }) } : { name: 'exec_command', input: (cmd) => ({ cmd }) },
  launch: ({ home, work, url, key, model, prompt }) => ({
    command: [
      process.execPath,
      fileOfPackage('@openai/codex', 'bin/codex.js'),
      ...['exec', '--skip-git-repo-check', '--sandbox', 'danger-full-access', '--cd', work],
      ...['--model', model, '--', prompt],
    ],
    env: { CODEX_HOME: join(home, '.codex'), DRAGOMAN_KEY: key },
    files: { [join(home, '.codex/config.toml')]: configuration(url) },
  }),
}

function configuration(url: string): string {
  return `
model_provider = "dragoman"
check_for_update_on_startup = false
web_search = "disabled"

[model_providers.dragoman]
name = "Dragoman"
base_url = "${url}/v1"
env_key = "DRAGOMAN_KEY"
wire_api = "responses"
request_max_retries = 0
stream_max_retries = 0

[analytics]
enabled = false

[feedback]
enabled = false

[features]
apps = false
plugins = false
remote_plugin = false
`
}
