import { killedAt } from './killed.ts'

killedAt('file', ['before the record', 'before the act', 'before the result', 'after the result'])
// What comes first is the same on each store; what a write has left may differ.
killedAt('Redis', ['after the record', 'after the act', 'after the result'])
