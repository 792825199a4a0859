import { describeCuts } from './cut.ts'

describeCuts((length) => length % 12 > 1)
