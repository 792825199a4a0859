import { killedAt } from './killed.ts'

killedAt('file', ['after the record', 'after the act'])
