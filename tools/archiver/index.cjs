/**
 * Stands in for the package of this name, which brings 53 others. testcontainers uses that to pack
 * files for a container, and no files are copied into one here.
 */
module.exports = () => {
  throw new Error('tools/archiver stands in for archiver; to copy files into a container remove it from package.json.');
};
