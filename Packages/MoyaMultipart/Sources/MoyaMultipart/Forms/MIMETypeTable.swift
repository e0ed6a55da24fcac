/// Media types and their file name extensions, one media type a line. Names come from the IANA
/// registry or, for types that IANA has not registered, from common server configurations.
enum MIMETypeTable {
    static let text = """
        application/atom+xml atom
        application/dash+xml mpd
        application/dicom dcm
        application/epub+zip epub
        application/geo+json geojson
        application/gpx+xml gpx
        application/gzip gz
        application/java-archive jar war ear
        application/json json map
        application/json5 json5
        application/ld+json jsonld
        application/manifest+json webmanifest
        application/mbox mbox
        application/msword doc dot
        application/octet-stream bin dat img so dylib dll o a
        application/ogg ogx
        application/pdf pdf
        application/pem-certificate-chain pem
        application/pgp-encrypted pgp gpg
        application/pgp-signature asc sig
        application/pkcs10 p10 csr
        application/pkcs12 p12 pfx
        application/pkcs7-mime p7m p7c
        application/pkcs7-signature p7s
        application/pkcs8 p8
        application/pkix-cert cer
        application/pkix-crl crl
        application/postscript ps eps ai
        application/rdf+xml rdf owl
        application/rss+xml rss
        application/rtf rtf
        application/smil+xml smi smil
        application/sql sql
        application/toml toml
        application/vnd.amazon.ebook azw
        application/vnd.android.package-archive apk
        application/vnd.apache.arrow.file arrow feather
        application/vnd.apache.parquet parquet
        application/vnd.apple.installer+xml mpkg pkg
        application/vnd.apple.keynote keynote
        application/vnd.apple.mpegurl m3u8
        application/vnd.apple.numbers numbers
        application/vnd.apple.pages pages
        application/vnd.debian.binary-package deb udeb
        application/vnd.geogebra.file ggb
        application/vnd.google-earth.kml+xml kml
        application/vnd.google-earth.kmz kmz
        application/vnd.ms-cab-compressed cab
        application/vnd.ms-excel xls xlt xla
        application/vnd.ms-excel.sheet.binary.macroenabled.12 xlsb
        application/vnd.ms-excel.sheet.macroenabled.12 xlsm
        application/vnd.ms-fontobject eot
        application/vnd.ms-htmlhelp chm
        application/vnd.ms-outlook msg
        application/vnd.ms-powerpoint ppt pps pot
        application/vnd.ms-powerpoint.presentation.macroenabled.12 pptm
        application/vnd.ms-project mpp
        application/vnd.ms-word.document.macroenabled.12 docm
        application/vnd.ms-xpsdocument xps
        application/vnd.oasis.opendocument.graphics odg
        application/vnd.oasis.opendocument.presentation odp
        application/vnd.oasis.opendocument.spreadsheet ods
        application/vnd.oasis.opendocument.text odt
        application/vnd.openxmlformats-officedocument.presentationml.presentation pptx
        application/vnd.openxmlformats-officedocument.presentationml.slideshow ppsx
        application/vnd.openxmlformats-officedocument.presentationml.template potx
        application/vnd.openxmlformats-officedocument.spreadsheetml.sheet xlsx
        application/vnd.openxmlformats-officedocument.spreadsheetml.template xltx
        application/vnd.openxmlformats-officedocument.wordprocessingml.document docx
        application/vnd.openxmlformats-officedocument.wordprocessingml.template dotx
        application/vnd.rar rar
        application/vnd.sqlite3 sqlite sqlite3
        application/vnd.tcpdump.pcap pcap cap
        application/vnd.visio vsd vsdx
        application/wasm wasm
        application/x-7z-compressed 7z
        application/x-apple-diskimage dmg
        application/x-bittorrent torrent
        application/x-bzip2 bz2
        application/x-cpio cpio
        application/x-hdf5 h5 hdf5
        application/x-iso9660-image iso
        application/x-itunes-ipa ipa
        application/x-java-class class
        application/x-lzip lz
        application/x-mobipocket-ebook mobi prc
        application/x-ms-installer msi
        application/x-msdownload exe
        application/x-ndjson ndjson jsonl
        application/x-pcapng pcapng
        application/x-plist plist
        application/x-redhat-package-manager rpm
        application/x-sh sh bash zsh
        application/x-shockwave-flash swf
        application/x-subrip srt
        application/x-tar tar
        application/x-tex tex
        application/x-x509-ca-cert crt der
        application/x-xz xz
        application/xhtml+xml xhtml xht
        application/xml xml xsl xsd
        application/xslt+xml xslt
        application/yaml yaml yml
        application/zip zip
        application/zstd zst
        audio/aac aac adts
        audio/ac3 ac3
        audio/amr amr
        audio/amr-wb awb
        audio/basic au snd
        audio/flac flac
        audio/midi mid midi kar
        audio/mp4 m4a m4b
        audio/mpeg mp3 mp2 mpga
        audio/ogg oga ogg opus spx
        audio/usac loas
        audio/vnd.dts dts
        audio/wav wav
        audio/webm weba
        audio/x-aiff aif aiff aifc
        audio/x-caf caf
        audio/x-matroska mka
        audio/x-mpegurl m3u
        audio/x-ms-wma wma
        font/collection ttc
        font/otf otf
        font/ttf ttf
        font/woff woff
        font/woff2 woff2
        image/apng apng
        image/avif avif
        image/bmp bmp dib
        image/gif gif
        image/heic heic
        image/heic-sequence heics
        image/heif heif
        image/heif-sequence heifs
        image/jp2 jp2 jpg2
        image/jpeg jpg jpeg jpe jfif
        image/jxl jxl
        image/ktx ktx
        image/ktx2 ktx2
        image/png png
        image/svg+xml svg svgz
        image/tiff tif tiff
        image/vnd.adobe.photoshop psd
        image/vnd.djvu djvu djv
        image/vnd.dwg dwg
        image/vnd.dxf dxf
        image/vnd.microsoft.icon ico cur
        image/vnd.radiance hdr
        image/webp webp
        image/x-adobe-dng dng
        image/x-canon-cr2 cr2
        image/x-canon-cr3 cr3
        image/x-exr exr
        image/x-fuji-raf raf
        image/x-nikon-nef nef
        image/x-olympus-orf orf
        image/x-panasonic-rw2 rw2
        image/x-portable-bitmap pbm
        image/x-portable-graymap pgm
        image/x-portable-pixmap ppm
        image/x-sony-arw arw
        image/x-tga tga
        image/x-xcf xcf
        message/rfc822 eml mht mhtml
        model/gltf+json gltf
        model/gltf-binary glb
        model/iges igs iges
        model/mtl mtl
        model/obj obj
        model/step step stp
        model/stl stl
        model/vnd.collada+xml dae
        model/vnd.usda usda
        model/vnd.usdz+zip usdz
        model/vrml wrl vrml
        text/cache-manifest appcache
        text/calendar ics ifb
        text/css css
        text/csv csv
        text/html html htm shtml
        text/javascript js mjs cjs
        text/markdown md markdown
        text/plain txt text log conf ini cfg env lock
        text/richtext rtx
        text/tab-separated-values tsv
        text/troff man
        text/turtle ttl
        text/vcard vcf vcard
        text/vtt vtt
        text/x-c c h cc cpp cxx hpp
        text/x-component htc
        text/x-diff diff patch
        text/x-dockerfile dockerfile
        text/x-go go
        text/x-java java
        text/x-kotlin kt kts
        text/x-less less
        text/x-makefile mk
        text/x-objective-c m mm
        text/x-perl pl pm
        text/x-php php
        text/x-protobuf proto
        text/x-python py
        text/x-ruby rb
        text/x-rust rs
        text/x-sass sass
        text/x-scss scss
        text/x-swift swift
        text/x-typescript tsx mts cts
        text/x-vue vue
        video/3gpp 3gp 3gpp
        video/3gpp2 3g2
        video/h264 h264
        video/h265 h265
        video/iso.segment m4s
        video/mj2 mj2
        video/mp2t ts m2ts
        video/mp4 mp4 m4v mp4v
        video/mpeg mpeg mpg mpe
        video/ogg ogv
        video/quicktime mov qt
        video/webm webm
        video/x-flv flv
        video/x-matroska mkv
        video/x-ms-asf asf
        video/x-ms-wmv wmv
        video/x-msvideo avi
        """
}
