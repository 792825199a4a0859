import { anthropic, messagesServers } from './anthropic.ts'
import { azure } from './azure.ts'
import { groq, mistral, ollama, together, xai } from './compatible-servers.ts'
import { gemini, vertex } from './gemini.ts'
import { openaiChat } from './openai-chat.ts'
import { openaiResponses, openResponses } from './openai-responses.ts'
import { deepseek, openrouter, vllm } from './reasoning-servers.ts'
import type { Provider } from './reply.ts'

export type { Meaning, Provider, WireReply } from './reply.ts'

/** Everybody whose replies are known. */
export const providers: readonly Provider[] = [
  openaiChat,
  azure,
  deepseek,
  vllm,
  openrouter,
  groq,
  mistral,
  ollama,
  xai,
  together,
  openaiResponses,
  openResponses,
  anthropic,
  messagesServers,
  gemini,
  vertex,
]
