/** Who is tried on what: each agent on an account of its own dialect first, then on foreign ones. */

import type { Agent } from './agents/agent.ts'
import { claudeCode } from './agents/claude-code.ts'
import { codex, codexWithCode, codexWithForeignModel, codexWithOpenai } from './agents/codex.ts'
import { geminiCli } from './agents/gemini-cli.ts'
import { opencodeChat, opencodeMessages } from './agents/opencode.ts'
import type { AccountKind } from './dialects.ts'

export interface Trial {
  readonly agent: Agent
  readonly account: AccountKind
}

export const trials: readonly Trial[] = [
  ...on(claudeCode, 'messages', 'chat', 'responses', 'generate', 'strict chat'),
  ...on(codex, 'responses'),
  ...on(codexWithCode, 'chat'),
  ...on(codexWithForeignModel, 'responses', 'messages', 'chat', 'generate', 'strict chat'),
  ...on(codexWithOpenai, 'responses', 'messages'),
  ...on(geminiCli, 'generate', 'chat', 'messages', 'responses', 'strict chat'),
  ...on(opencodeChat, 'chat', 'messages', 'generate', 'responses'),
  ...on(opencodeMessages, 'messages', 'chat', 'generate', 'responses', 'strict chat'),
]

function on(agent: Agent, ...accounts: AccountKind[]): Trial[] {
  return accounts.map((account) => ({ agent, account }))
}
