/** `npm run guides`: rewrites the generated parts of the guides. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { guides, guideText, withPrinted } from './guides.ts'
import { repository } from './repository.ts'

for (const guide of guides) {
  const text = guideText(guide)
  const printed = withPrinted(guide, text)
  if (printed !== text) writeFileSync(join(repository, guide), printed)
}
